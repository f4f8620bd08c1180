import { Stack, Text } from '@mantine/core';
import { type ApiKey, useRevokeKey } from '../../api/keys.ts';
import { formatCount } from '../../format/numbers.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { KeyFigures } from './key-usage.ts';

interface Props {
  readonly accountId: string;
  readonly apiKey: ApiKey;
  readonly figures: KeyFigures | undefined;
  readonly onClose: () => void;
}

/** Says what revoking does, and who would notice. */
export function RevokeDialog({ accountId, apiKey, figures, onClose }: Props) {
  const revoke = useRevokeKey(accountId);
  const isUsed = figures !== undefined && figures.lastUsedAt !== null;
  return (
    <ConfirmDialog
      title={`Revoke “${apiKey.name ?? apiKey.id}”`}
      confirmLabel="Revoke the key"
      deed="The key was not revoked"
      onConfirm={() => revoke.mutateAsync(apiKey.id)}
      onClose={onClose}
    >
      <Stack>
        <Text size="sm">
          From its next request on the key is refused with 401. This cannot be taken back; its checks stay on
          record.
        </Text>
        {isUsed && (
          <Text size="sm" fw={500}>
            It was used <RelativeTime at={figures.lastUsedAt} />, {formatCount(figures.thisMonth)} times this
            month: what uses it will stop working. Rotating it instead leaves time to change over.
          </Text>
        )}
      </Stack>
    </ConfirmDialog>
  );
}
