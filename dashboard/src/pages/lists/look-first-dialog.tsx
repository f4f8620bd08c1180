import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { EffectOf } from '../../api/lists.ts';
import { ASKS, Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { EffectShown } from './effect-shown.tsx';

interface Props<Given, Errors> {
  readonly title: string;
  /** What the fields begin with. */
  readonly beginning: Given;
  readonly read: (form: HTMLFormElement) => Given;
  readonly fields: (given: Given, errors: Partial<Errors>) => ReactNode;
  /** What is wrong with which field; null where an error is of another kind. */
  readonly errorsOf: (error: unknown) => Errors | null;
  /** Of what is given, as the second step's title names it. */
  readonly nameOf: (given: Given) => string;
  readonly look: (given: Given) => ReturnType<EffectOf>;
  /** On the button that does it. */
  readonly confirmLabel: (given: Given) => string;
  /** "The entry was not added". */
  readonly deed: string;
  /** What is said before the effect. */
  readonly note?: string;
  /** The dialog stays until it is done, and shows why it could not be. */
  readonly onSave: (given: Given) => Promise<unknown>;
  readonly onClose: () => void;
}

/** First the fields, then what they would do to the checks on record, then it is in force. */
export function LookFirstDialog<Given, Errors extends object>(props: Props<Given, Errors>) {
  const { title, beginning, read, fields, errorsOf, nameOf, confirmLabel, deed, note, onClose } = props;
  const [given, setGiven] = useState(beginning);
  const look = useMutation({ mutationFn: props.look, meta: ASKS });
  const save = useMutation({ mutationFn: props.onSave });
  const errors = errorsOf(look.error);
  if (look.data || (look.error !== null && errors === null)) {
    return (
      <Dialog onClose={onClose} title={`${title}: ${nameOf(given)}`} size="lg" centered>
        <DialogForm
          submitLabel={confirmLabel(given)}
          cancelLabel="Back"
          isPending={save.isPending}
          error={save.error}
          deed={deed}
          onSubmit={() => save.mutate(given)}
          onCancel={() => {
            save.reset();
            look.reset();
          }}
        >
          {note !== undefined && <Text size="sm">{note}</Text>}
          {look.data ? (
            <EffectShown effect={look.data} />
          ) : (
            <ErrorNotice
              error={look.error}
              deed="What it would do cannot be told now"
              onRetry={() => look.mutate(given)}
            />
          )}
        </DialogForm>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title={title} size="lg" centered>
      <DialogForm
        submitLabel="See what it does"
        isPending={look.isPending}
        canCancel
        onSubmit={(form) => {
          const next = read(form);
          setGiven(next);
          look.mutate(next);
        }}
        onCancel={onClose}
      >
        {fields(given, errors ?? {})}
      </DialogForm>
    </Dialog>
  );
}
