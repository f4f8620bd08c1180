import { useDisclosure, useHotkeys } from '@mantine/hooks';

/** Whether the command palette is open. Ctrl-K opens it anywhere, `/` outside of fields, from the first page on. */
export function usePalette() {
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
  return { isOpen, open, close };
}
