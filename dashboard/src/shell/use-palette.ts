import { useDisclosure, useHotkeys } from '@mantine/hooks';

/** Whether the command palette is open. Ctrl-K opens it anywhere, `/` outside of fields, from the first page on. */
export function usePalette() {
  const [isOpen, { open, close }] = useDisclosure();
  // Not over a dialog, which a key press must not leave: a new key's secret is shown only once.
  const openUnlessAsked = () => {
    if (document.querySelector('[aria-modal="true"]') === null) open();
  };
  useHotkeys([['mod+K', openUnlessAsked]], [], true);
  useHotkeys([
    ['/', openUnlessAsked],
    // On some keyboards, such as German ones, `/` needs Shift.
    ['shift+/', openUnlessAsked],
  ]);
  return { isOpen, open, close };
}
