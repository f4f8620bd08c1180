import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface Props {
  /** On the button that does it: a verb. */
  readonly submitLabel: string;
  readonly cancelLabel?: string;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  /** By default not while `isPending`. True where `onSubmit` changes nothing, so that it can be cancelled. */
  readonly canCancel?: boolean;
  /** Cannot be undone: the button is red, and the focus begins on the other one. */
  readonly isDangerous?: boolean;
  /** Why it failed; shown in the dialog, which stays open. */
  readonly error?: unknown;
  /** The title of the error, what was not done: "The entry was not added". */
  readonly deed?: string | undefined;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The content of a dialog that asks: its fields, the error, and the two buttons. */
export function DialogForm(props: Props) {
  const { submitLabel, cancelLabel = 'Cancel', onSubmit, onCancel, children } = props;
  const {
    isPending = false,
    isDisabled = false,
    isDangerous = false,
    error = null,
    deed,
    canCancel = !isPending,
  } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        {error !== null && <ErrorNotice error={error} deed={deed} />}
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
