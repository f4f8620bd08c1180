import { Button, Group } from '@mantine/core';
import { IconDownload, IconListSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { withChanges } from '../../../address.ts';
import { answerOf, api } from '../../../api/client.ts';
import { addressOf, PRESETS, type Preset } from '../../../format/ranges.ts';
import { saveCsv } from '../../../save-csv.ts';
import { AccountLink } from '../../../ui/account-link.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { isUnsaved, type Workspace } from '../workspace.ts';

const DAY_MS = 86_400_000;

interface Props {
  readonly workspace: Workspace;
  readonly days: number;
}

/** Leads to all flips: as a CSV file, and for a saved draft as a filter of Checks. */
export function AllFlips({ workspace, days }: Props) {
  const { files, draftId } = workspace;
  const save = useMutation({
    mutationFn: async () => {
      const body = { files: { ...files }, days };
      saveCsv(
        'flips.csv',
        await answerOf(api.POST('/dashboard/api/rules/replay/flips.csv', { body, parseAs: 'text' })),
      );
    },
  });
  return (
    <>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          All flips as CSV
        </Button>
        {draftId !== null && !isUnsaved(workspace) ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconListSearch size={14} aria-hidden />}
            component={AccountLink}
            href={`/checks?${searchOfFlips(draftId, days)}`}
          >
            All flips in Checks
          </Button>
        ) : (
          <Dimmed>Saved as a draft, its flips are a filter of Checks too.</Dimmed>
        )}
      </Group>
      <ErrorNotice error={save.error} deed="The file was not made" />
    </>
  );
}

function searchOfFlips(draftId: string, days: number): URLSearchParams {
  const search = new URLSearchParams({ scope: 'all', flips: draftId });
  const preset = Object.entries(PRESETS).find(([, span]) => span === days * DAY_MS)?.[0];
  if (preset !== undefined) return withChanges(search, addressOf({ preset: preset as Preset }));
  const from = new Date(Date.now() - days * DAY_MS).toISOString();
  return withChanges(search, addressOf({ from, to: new Date().toISOString() }));
}
