import { Modal, type ModalProps } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** `meta` of a mutation that changes nothing: the dialog may close before its answer. */
export const ASKS = { asks: true };

/** A dialog that is open while it is mounted. It does not close while a mutation that began since runs: its outcome must be seen. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useOpenerFocus();
  const [openedAt] = useState(Date.now);
  const changes = useIsMutating({
    predicate: ({ state, meta }) => state.submittedAt >= openedAt && meta !== ASKS,
  });
  return <Modal opened {...props} onClose={() => changes > 0 || props.onClose()} />;
}

/**
 * Returns the focus on unmount to the control that had it on mount, so that people who use the keyboard continue where they were (WCAG 2.2,
 * 2.4.3). Mantine's Modal does so only where it was mounted before it opened.
 */
export function useOpenerFocus(): void {
  const [opener] = useState(openerOf);
  useEffect(() => () => focusLater(opener), [opener]);
}

/** The focused element; for an item of a menu the menu's button, since the item is gone by the time the dialog closes. */
function openerOf(): HTMLElement | null {
  const active = document.activeElement;
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (typeof button === 'string') return document.getElementById(button);
  return active instanceof HTMLElement ? active : null;
}

/** Waits until the dialog is removed. Does nothing where something else has the focus by then. */
function focusLater(opener: HTMLElement | null): void {
  setTimeout(() => {
    if (document.activeElement === document.body) opener?.focus();
  });
}
