import { ActionIcon, Tooltip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

/** Opens the palette; so do the keys that it names. */
export function PaletteButton({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <Tooltip label="Go to … (Ctrl K or /)">
      <ActionIcon
        size="lg"
        onClick={onOpen}
        aria-label="Command palette"
        aria-keyshortcuts="Control+K Meta+K /"
      >
        <IconSearch size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
