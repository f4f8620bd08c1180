import { Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isListChanged } from '../../api/lists.ts';
import { FormDialog } from '../../ui/dialog-form.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';

interface Props<Looked> {
  readonly title: string;
  /** What follows from the change. */
  readonly children: ReactNode;
  /** On the button that does it: a verb. */
  readonly confirmLabel: string;
  /** The title of an error: "The entry was not removed". */
  readonly deed: string;
  readonly look: (signal: AbortSignal) => Promise<Looked>;
  readonly show: (looked: Looked) => ReactNode;
  /** Whether the change can be made at all; by default it can. */
  readonly isPossible?: (looked: Looked) => boolean;
  /** The dialog stays open until this resolves, and shows the error where it rejects. */
  readonly onConfirm: (looked: Looked | undefined) => Promise<unknown>;
  /** Also called once `onConfirm` has resolved. */
  readonly onClose: () => void;
}

/** Shows what a change of lists would do before it is made. Where the effect cannot be told, the person may go on all the same. */
export function EffectDialog<Looked>(props: Props<Looked>) {
  const { title, children, confirmLabel, deed, look, show, onConfirm, onClose } = props;
  const { isPossible = () => true } = props;
  const effect = useQuery({
    // For this dialog alone (`gcTime: 0`): the records and the lists may change a moment later.
    queryKey: ['list-effect', title],
    queryFn: ({ signal }) => look(signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const confirm = useMutation({
    mutationFn: () => onConfirm(effect.data),
    onSuccess: onClose,
    // The list has changed: shows the effect on it as it is now, before another try.
    onError: (error) => {
      if (isListChanged(error)) void effect.refetch();
    },
  });
  return (
    <FormDialog
      {...{ title, deed, onClose }}
      size="lg"
      centered
      submitLabel={confirmLabel}
      isDangerous
      isDisabled={effect.isFetching || (effect.data !== undefined && !isPossible(effect.data))}
      change={confirm}
      onSubmit={() => confirm.mutate()}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <Stack gap="xs">
        {effect.isFetching && (
          <Skeleton h={64} role="status" aria-label="Looking at the checks of the last 30 days" />
        )}
        {!effect.isFetching && effect.data !== undefined && show(effect.data)}
        <ErrorNotice
          error={effect.error}
          deed="What it would do cannot be told now"
          onRetry={() => effect.refetch()}
        />
      </Stack>
    </FormDialog>
  );
}
