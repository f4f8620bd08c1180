import { Button, Group, Paper, Text } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { type ListedCheck, useLabelChecks } from '../../api/checks.ts';
import { formatCounted } from '../../format/numbers.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';

interface Props {
  readonly accountId: string;
  /** Ids of the chosen checks. */
  readonly chosen: ReadonlySet<string>;
  /** All checks that could be chosen. */
  readonly all: readonly ListedCheck[];
  readonly onChoose: (ids: readonly string[]) => void;
}

/** Labels many checks at once. */
export function BulkLabels({ accountId, chosen, all, onChoose }: Props) {
  const label = useLabelChecks(accountId);
  const give = (wanted: 'good' | 'bad' | 'none') =>
    label.mutate(
      {
        checks: [...chosen],
        label: wanted,
        was: Object.fromEntries(
          all.filter(({ id }) => chosen.has(id)).map(({ id, label }) => [id, label ?? 'none']),
        ),
      },
      { onSuccess: () => onChoose([]) },
    );
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
          <Button {...button} onClick={() => onChoose(all.map(({ id }) => id))}>
            {`Choose all ${all.length} shown`}
          </Button>
        )}
        <Button {...button} onClick={() => onChoose([])}>
          Choose none
        </Button>
      </Group>
      <ErrorNotice error={label.error} deed="The checks were not labelled" />
    </Paper>
  );
}

function describe(
  label: 'good' | 'bad' | 'none',
  { changed, left, absent }: { readonly changed: number; readonly left: number; readonly absent: number },
): string {
  const done =
    label === 'none'
      ? `${formatCounted(changed, 'label was', 'labels were')} taken off`
      : `${formatCounted(changed, 'check is', 'checks are')} labelled ${label}`;
  const others = [
    ...(left === 0 ? [] : [`${left} kept a label that another person has given since this page was read`]),
    ...(absent === 0 ? [] : [`${formatCounted(absent, 'is', 'are')} not on record any more, or had none`]),
  ];
  return `${[done, ...others].join('; ')}.`;
}
