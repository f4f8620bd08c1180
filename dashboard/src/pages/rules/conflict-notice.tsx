import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { draftQuery } from './queries.ts';
import { ofDraft, type Workspace } from './workspace.ts';

interface Props {
  readonly error: unknown;
  readonly draftId: string | null;
  readonly onLoad: (workspace: Workspace) => void;
  readonly onDone: () => void;
}

/** Why nothing was saved; after a conflict, what can be done about it. */
export function ConflictNotice({ error, draftId, onLoad, onDone }: Props) {
  const client = useQueryClient();
  if (!(error instanceof ApiError) || error.code !== 'draft_changed') return <ErrorNotice error={error} />;
  const [{ saved_by: by = 'Another person', saved_at: at } = {}] = error.details;
  const takeTheirs = async () => {
    const draft = await client.fetchQuery({ ...draftQuery(draftId), staleTime: 0 });
    onLoad(ofDraft(draft));
    onDone();
  };
  return (
    <Alert color="yellow" title="Another person saved first" role="alert">
      <Text size="sm">
        {String(by)} has saved this draft <RelativeTime at={typeof at === 'string' ? at : null} />. What you
        have typed is still here: copy what you need of it before you take what was saved.
      </Text>
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={takeTheirs}>
          Take what was saved
        </Button>
      </Group>
    </Alert>
  );
}
