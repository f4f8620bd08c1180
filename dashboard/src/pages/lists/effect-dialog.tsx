import { Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';

interface Props<Looked> {
  readonly title: string;
  /** What follows from it. */
  readonly children: ReactNode;
  /** On the button that does it: a verb. */
  readonly confirmLabel: string;
  /** "The entry was not removed". */
  readonly deed: string;
  readonly look: (signal: AbortSignal) => Promise<Looked>;
  readonly show: (looked: Looked) => ReactNode;
  /** Whether it can be done at all; it can unless told. */
  readonly isPossible?: (looked: Looked) => boolean;
  /** The dialog stays until it is done, and shows why it could not be. */
  readonly onConfirm: (looked: Looked | undefined) => Promise<unknown>;
  /** Also once it is done. */
  readonly onClose: () => void;
}

/** Shows what a change of lists would do before it is made. Where that cannot be told, a person may go on all the same. */
export function EffectDialog<Looked>(props: Props<Looked>) {
  const { title, children, confirmLabel, deed, look, show, onConfirm, onClose } = props;
  const { isPossible = () => true } = props;
  const effect = useQuery({
    // Of this dialog alone: what is on record and in the lists is another a moment later.
    queryKey: ['list-effect', title],
    queryFn: ({ signal }) => look(signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const confirm = useMutation({
    mutationFn: () => onConfirm(effect.data),
    onSuccess: onClose,
    // What is there by now is shown in its place, to be looked at before another try.
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'list_changed') void effect.refetch();
    },
  });
  return (
    <Dialog onClose={onClose} title={title} size="lg" centered>
      <DialogForm
        submitLabel={confirmLabel}
        isDangerous
        isDisabled={effect.isFetching || (effect.data !== undefined && !isPossible(effect.data))}
        isPending={confirm.isPending}
        error={confirm.error}
        deed={deed}
        onSubmit={() => confirm.mutate()}
        onCancel={onClose}
      >
        <Text size="sm" component="div">
          {children}
        </Text>
        <Stack gap="xs">
          {effect.isFetching && (
            <Skeleton h={64} role="status" aria-label="Looking at the checks of the last 30 days" />
          )}
          {!effect.isFetching && effect.data !== undefined && show(effect.data)}
          {effect.error !== null && (
            <ErrorNotice
              error={effect.error}
              deed="What it would do cannot be told now"
              onRetry={() => effect.refetch()}
            />
          )}
        </Stack>
      </DialogForm>
    </Dialog>
  );
}
