import { Button, Group, Paper, Text } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { useLabelChecks } from '../../api/checks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';

interface Props {
  readonly accountId: string;
  /** Ids of the chosen checks. */
  readonly chosen: ReadonlySet<string>;
  /** Ids of all checks that could be chosen. */
  readonly all: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
}

/** Labels many checks at once. */
export function BulkLabels({ accountId, chosen, all, onChoose }: Props) {
  const label = useLabelChecks(accountId);
  const give = (wanted: 'good' | 'bad' | 'none') =>
    label.mutate({ checks: [...chosen], label: wanted }, { onSuccess: () => onChoose([]) });
  if (chosen.size === 0) {
    return (
      <Text size="sm" role="status">
        {label.data && describe(label.variables.label, label.data)}
      </Text>
    );
  }
  const button = { size: 'xs', variant: 'default', disabled: label.isPending } as const;
  return (
    <Paper component="section" aria-label="Chosen checks" withBorder p="xs">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {`${chosen.size} chosen`}
        </Text>
        <Button {...button} leftSection={<IconThumbUp size={14} aria-hidden />} onClick={() => give('good')}>
          Label good
        </Button>
        <Button {...button} leftSection={<IconThumbDown size={14} aria-hidden />} onClick={() => give('bad')}>
          Label bad
        </Button>
        <Button {...button} onClick={() => give('none')}>
          Take labels off
        </Button>
        {chosen.size < all.length && (
          <Button {...button} onClick={() => onChoose(all)}>
            {`Choose all ${all.length} shown`}
          </Button>
        )}
        <Button {...button} onClick={() => onChoose([])}>
          Choose none
        </Button>
      </Group>
      {label.error !== null && <ErrorNotice error={label.error} deed="The checks were not labelled" />}
    </Paper>
  );
}

function describe(
  label: 'good' | 'bad' | 'none',
  { changed, absent }: { readonly changed: number; readonly absent: number },
): string {
  const done =
    label === 'none' ? `${changed} labels were taken off` : `${changed} checks are labelled ${label}`;
  return absent === 0 ? `${done}.` : `${done}; ${absent} are not on record any more, or had none.`;
}
