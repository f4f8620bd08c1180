import { Button, Group, type ModalProps, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface Props {
  /** On the button that does it: a verb. */
  readonly submitLabel: string;
  readonly cancelLabel?: string;
  /** What submitting does: the form waits for it, and shows its error. */
  readonly change?: { readonly isPending: boolean; readonly error: unknown };
  /** The fields show the error. */
  readonly hasFieldErrors?: boolean;
  readonly isDisabled?: boolean;
  /** By default not while `change` runs. True where it changes nothing, so that it can be cancelled. */
  readonly canCancel?: boolean;
  /** Cannot be undone: the button is red, and the focus begins on the other one. */
  readonly isDangerous?: boolean;
  /** The title of the error, what was not done: "The entry was not added". */
  readonly deed?: string;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The content of a dialog that asks: its fields, the error, and the two buttons. */
export function DialogForm(props: Props) {
  const { submitLabel, cancelLabel = 'Cancel', change, deed, onSubmit, onCancel, children } = props;
  const { hasFieldErrors = false, isDisabled = false, isDangerous = false } = props;
  const isPending = change?.isPending === true;
  const { canCancel = !isPending } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        {!hasFieldErrors && <ErrorNotice error={change?.error ?? null} deed={deed} />}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            disabled={!canCancel}
            onClick={onCancel}
            data-autofocus={isDangerous || undefined}
          >
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            // White on the theme's shade of red is 3.8:1, short of what text needs (WCAG 2.2, 1.4.3).
            {...(isDangerous && { color: 'red.9' })}
            disabled={isDisabled}
            loading={isPending}
          >
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FormDialogProps extends Omit<Props, 'onCancel'>, Pick<ModalProps, 'title' | 'size' | 'centered'> {
  readonly onClose: () => void;
  /** What the cancel button does; by default it closes the dialog. */
  readonly onCancel?: () => void;
}

/** A dialog with one form in it. */
export function FormDialog({ title, size = 'md', centered = false, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog {...{ title, size, centered, onClose }}>
      <DialogForm onCancel={onClose} {...form} />
    </Dialog>
  );
}
