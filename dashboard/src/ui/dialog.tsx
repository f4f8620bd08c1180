import { Modal, type ModalProps } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** Of a mutation that only asks, which nothing is lost by not waiting for. */
export const ASKS = { asks: true };

/** A dialog that is there while it is open, and until a change that was begun in it has an outcome, which it shows. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useOpenerFocus();
  const [openedAt] = useState(Date.now);
  const changes = useIsMutating({
    predicate: ({ state, meta }) => state.submittedAt >= openedAt && meta !== ASKS,
  });
  return <Modal opened {...props} onClose={() => changes > 0 || props.onClose()} />;
}

/**
 * Modal gives the focus back only where it was there before it opened; here the control that had it is remembered for as long as the
 * component is there, so that people who use the keyboard continue where they were (WCAG 2.2, 2.4.3).
 */
export function useOpenerFocus(): void {
  const [opener] = useState(openerOf);
  useEffect(() => () => focusLater(opener), [opener]);
}

/** The button of a menu in place of its item, which is gone by the time the dialog closes. */
function openerOf(): HTMLElement | null {
  const active = document.activeElement;
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (typeof button === 'string') return document.getElementById(button);
  return active instanceof HTMLElement ? active : null;
}

/** Once the dialog is taken away; unless something else took the focus meanwhile. */
function focusLater(opener: HTMLElement | null): void {
  setTimeout(() => {
    if (document.activeElement === document.body) opener?.focus();
  });
}
