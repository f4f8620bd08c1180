import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';

const CommandPalette = lazy(() => import('./palette/command-palette.tsx'));

/** Opens the palette, which is loaded then: by itself, by Ctrl-K anywhere, and by `/` outside of fields. */
export function PaletteButton() {
  const [isOpen, { open, close }] = useDisclosure();
  // What a dialog shows or asks is not left by a key: a new key's secret is shown once.
  const openUnlessAsked = () => {
    if (document.querySelector('[aria-modal="true"]') === null) open();
  };
  useHotkeys([['mod+K', openUnlessAsked]], [], true);
  useHotkeys([
    ['/', openUnlessAsked],
    // Where keyboards have it on another key, as on German ones.
    ['shift+/', openUnlessAsked],
  ]);
  return (
    <>
      <Tooltip label="Go to … (Ctrl K or /)">
        <ActionIcon
          size="lg"
          onClick={open}
          aria-label="Command palette"
          aria-keyshortcuts="Control+K Meta+K /"
        >
          <IconSearch size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Suspense>
          <CommandPalette onClose={close} />
        </Suspense>
      )}
    </>
  );
}
