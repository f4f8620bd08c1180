import { AccountSwitcher } from './account-switcher.tsx';
import { AttentionBell } from './attention-bell.tsx';
import { PaletteButton } from './palette-button.tsx';
import { PersonMenu } from './person-menu.tsx';

/** The controls of the header that open something. */
export default function HeaderMenus({ onOpenPalette }: { readonly onOpenPalette: () => void }) {
  return (
    <>
      <AccountSwitcher />
      <PaletteButton onOpen={onOpenPalette} />
      <AttentionBell />
      <PersonMenu />
    </>
  );
}
