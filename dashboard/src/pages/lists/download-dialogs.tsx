import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type DownloadEffect, effectOfDownload, type Update, useRollDownloadBack } from '../../api/lists.ts';
import { formatCount, formatCounted } from '../../format/numbers.ts';
import { EffectDialog } from './effect-dialog.tsx';
import { EffectShown } from './effect-shown.tsx';

interface UpdateProps {
  readonly list: string;
  /** The name that people know it by. */
  readonly name: string;
  /** Whether a download that would be refused is taken all the same. */
  readonly isAccepted: boolean;
  readonly onUpdate: (update: Update) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Downloads a list and shows what it would do; on confirmation exactly that download is put in force. */
export function UpdateDialog({ list, name, isAccepted, onUpdate, onClose }: UpdateProps) {
  const [accept, setAccept] = useState(isAccepted);
  return (
    <EffectDialog
      title={accept ? `Take ${name} all the same?` : `Update ${name}?`}
      confirmLabel={accept ? 'Take it all the same' : 'Put it in force'}
      deed="The list was not updated"
      look={(signal) => effectOfDownload(list, { change: 'update', accept }, signal)}
      isPossible={isTaken}
      show={(looked) => <LookedAt looked={looked} onAccept={accept ? null : () => setAccept(true)} />}
      onConfirm={(looked) => onUpdate({ list, accept, expected: looked?.download ?? null })}
      onClose={onClose}
    >
      {accept
        ? 'It was refused for how much it changed, or for what it names. Every domain on it counts as a throw-away service then.'
        : 'It is downloaded and judged now, and in force once you say so. Postern keeps it fresh by itself from then on.'}
    </EffectDialog>
  );
}

interface RollBackProps {
  readonly list: string;
  /** The number of entries of the snapshot before. */
  readonly entries: number;
  readonly onClose: () => void;
}

export function RollBackDialog({ list, entries, onClose }: RollBackProps) {
  const rollBack = useRollDownloadBack();
  return (
    <EffectDialog
      title="Go back to the snapshot before?"
      confirmLabel="Roll back"
      deed="The list was not rolled back"
      look={(signal) => effectOfDownload(list, { change: 'rollback', accept: false }, signal)}
      isPossible={isTaken}
      show={(looked) => <LookedAt looked={looked} onAccept={null} />}
      onConfirm={(looked) => rollBack.mutateAsync({ list, expected: looked?.download ?? null })}
      onClose={onClose}
    >
      {`It names ${formatCounted(entries, 'domain')}. The list then stays as it is until it is updated here or by "postern lists update".`}
    </EffectDialog>
  );
}

function isTaken({ result }: DownloadEffect): boolean {
  return result === 'taken' || result === 'unchanged';
}

interface LookedProps {
  readonly looked: DownloadEffect;
  /** Looks again as if a refusal were overridden; null where that changes nothing. */
  readonly onAccept: (() => void) | null;
}

function LookedAt({ looked, onAccept }: LookedProps) {
  const { result, reason, entries, added, removed, effect } = looked;
  if (result === 'refused' || result === 'failed') {
    const isRefused = result === 'refused';
    return (
      <Alert color="orange" role="alert" title={isRefused ? 'It would be refused' : 'Nothing came'}>
        <Text size="sm">{`${reason ?? ''}. What is in force stays.`}</Text>
        {isRefused && onAccept !== null && (
          <Button size="xs" variant="default" mt="xs" onClick={onAccept}>
            See what it would do all the same
          </Button>
        )}
      </Alert>
    );
  }
  if (result === 'unchanged') {
    return <Text size="sm">Its source holds what is in force: no check would be answered otherwise.</Text>;
  }
  return (
    <Stack gap="xs">
      {added + removed > 0 && (
        <Text size="sm">
          {`${formatCounted(entries, 'domain')}: ${formatCount(added)} new, ${formatCount(removed)} gone.`}
        </Text>
      )}
      {effect !== null && <EffectShown effect={effect} />}
    </Stack>
  );
}
