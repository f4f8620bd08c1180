import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormDialog } from './dialog-form.tsx';

export interface Question {
  /** What is about to happen: "Revoke this key?". */
  readonly title: string;
  /** What follows from the change, and whether it can be undone. */
  readonly children: ReactNode;
  /** On the button that does it: a verb. */
  readonly confirmLabel: string;
  readonly cancelLabel?: string;
  /** The title of the error, what was not done: "The key was not revoked". */
  readonly deed?: string;
  /** The dialog stays open until this resolves, and shows the error where it rejects. */
  readonly onConfirm: () => Promise<unknown>;
}

interface Props extends Question {
  /** Also called once `onConfirm` has resolved. */
  readonly onClose: () => void;
}

/** Asks before something that matters is done. */
export function ConfirmDialog({ children, confirmLabel, onConfirm, onClose, ...rest }: Props) {
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <FormDialog
      {...rest}
      submitLabel={confirmLabel}
      isDangerous
      change={confirm}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
      centered
    >
      <Text size="sm" component="div">
        {children}
      </Text>
    </FormDialog>
  );
}
