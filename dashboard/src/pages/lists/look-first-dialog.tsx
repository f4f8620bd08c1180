import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { EffectOf } from '../../api/lists.ts';
import { ASKS } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/dialog-form.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { EffectShown } from './effect-shown.tsx';

interface Props<Given, Errors> {
  readonly title: string;
  /** The initial values of the fields. */
  readonly beginning: Given;
  readonly read: (form: HTMLFormElement) => Given;
  readonly fields: (given: Given, errors: Partial<Errors>) => ReactNode;
  /** What is wrong with which field; null where an error is of another kind. */
  readonly errorsOf: (error: unknown) => Errors | null;
  /** What the title of the second step calls the given values. */
  readonly nameOf: (given: Given) => string;
  readonly look: (given: Given) => ReturnType<EffectOf>;
  /** On the button that does it. */
  readonly confirmLabel: (given: Given) => string;
  /** The title of an error: "The entry was not added". */
  readonly deed: string;
  /** A text above the effect. */
  readonly note?: string;
  /** The dialog stays open, and shows the error where this rejects; the caller closes it. */
  readonly onSave: (given: Given) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Two steps: first the fields, then what they would do to the checks on record. Submitting the second step saves. */
export function LookFirstDialog<Given, Errors extends object>(props: Props<Given, Errors>) {
  const { title, beginning, read, fields, errorsOf, nameOf, confirmLabel, deed, note, onClose } = props;
  const [given, setGiven] = useState(beginning);
  const look = useMutation({ mutationFn: props.look, meta: ASKS });
  const save = useMutation({ mutationFn: props.onSave });
  const errors = errorsOf(look.error);
  if (look.data || (look.error !== null && errors === null)) {
    return (
      <FormDialog
        title={`${title}: ${nameOf(given)}`}
        size="lg"
        centered
        submitLabel={confirmLabel(given)}
        cancelLabel="Back"
        change={save}
        deed={deed}
        onSubmit={() => save.mutate(given)}
        onCancel={() => {
          save.reset();
          look.reset();
        }}
        onClose={onClose}
      >
        {note !== undefined && <Text size="sm">{note}</Text>}
        <ErrorNotice
          error={look.error}
          deed="What it would do cannot be told now"
          onRetry={() => look.mutate(given)}
        />
        {look.data && <EffectShown effect={look.data} />}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={title}
      size="lg"
      centered
      submitLabel="See what it does"
      change={look}
      hasFieldErrors
      canCancel
      onSubmit={(form) => {
        const next = read(form);
        setGiven(next);
        look.mutate(next);
      }}
      onClose={onClose}
    >
      {fields(given, errors ?? {})}
    </FormDialog>
  );
}
