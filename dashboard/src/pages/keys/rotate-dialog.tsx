import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ApiKey, useRotateKey } from '../../api/keys.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SecretDialog } from './secret-dialog.tsx';

interface Props {
  readonly accountId: string;
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** How long the old secret goes on, in seconds. */
const GRACES = [
  {
    seconds: 0,
    label: 'None',
    description: 'The old secret is refused at once: for one that was read by others.',
  },
  { seconds: 3_600, label: 'One hour', description: 'For a single program that you are about to restart.' },
  { seconds: 86_400, label: 'One day', description: 'For programs that are deployed once a day.' },
  { seconds: 7 * 86_400, label: 'One week', description: 'For programs that others deploy.' },
] as const;
const USUAL = '86400';

/** Says what rotating does, makes the new secret, and shows it. */
export function RotateDialog({ accountId, apiKey, onClose }: Props) {
  const [grace, setGrace] = useState(apiKey.seen_in_clear_at === null ? USUAL : '3600');
  const rotate = useRotateKey(accountId);
  return (
    <SecretDialog
      title={`Rotate “${apiKey.name ?? apiKey.id}”`}
      titleOfSecret="The new secret"
      secret={rotate.data?.secret}
      onClose={onClose}
    >
      <DialogForm
        submitLabel="Rotate the key"
        change={rotate}
        deed="The key was not rotated"
        onSubmit={() => rotate.mutate({ id: apiKey.id, graceSeconds: Number(grace) })}
        onCancel={onClose}
      >
        <Text size="sm">
          A new key takes its place, of the same name and environment. Until the old one ends both open, and
          both count towards one rate limit.
        </Text>
        <Radio.Group label="How long does the old secret go on?" value={grace} onChange={setGrace}>
          <Stack gap="xs" mt="xs">
            {GRACES.map(({ seconds, label, description }) => (
              <Radio key={seconds} value={String(seconds)} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      </DialogForm>
    </SecretDialog>
  );
}
