import { Alert, Button, Group, Loader, Paper, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react';
import type { Decision, Facts } from '../../api/try-it.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ActionBadge, LevelBadge } from '../../ui/verdict-badge.tsx';

interface Props {
  readonly canonical: string;
  /** Null while nothing is known. */
  readonly decision: Decision | null;
  /** The trial is still running. */
  readonly isWaiting: boolean;
  /** The decision on the facts as they were found; null where no fact is edited. */
  readonly found: Decision | null;
  /** The edits that `decision` is of; null where it is of the facts as they were found. */
  readonly edits: Facts | null;
  /** A sentence that names the edit that cannot be decided on; null where there is none. */
  readonly fault: string | null;
  readonly onReset: () => void;
}

/** The decision; with edited facts also how it differs from that on the facts as they were found. */
export function Verdict({ canonical, decision, isWaiting, found, edits, fault, onReset }: Props) {
  return (
    <Paper aria-live="polite">
      <Group justify="space-between" gap="sm">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {canonical}
        </Title>
        <Group gap="sm">
          {isWaiting && (
            <Group gap="xs">
              <Loader size="xs" aria-hidden />
              <Dimmed size="sm">So far</Dimmed>
            </Group>
          )}
          {decision !== null && <Outcome decision={decision} />}
        </Group>
      </Group>
      {found !== null && decision !== null && (
        <Alert
          mt="sm"
          color={decision.action === found.action ? 'gray' : 'orange'}
          icon={<IconPencil aria-hidden />}
          title={edits === null ? 'Not decided on' : describeChange(found, decision)}
        >
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {edits === null
                ? `${fault ?? ''}The decision is of the facts as they were found.`
                : `With ${describeEdits(edits)}, and everything else as it was found.`}
            </Text>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={14} aria-hidden />}
              onClick={onReset}
            >
              As it was found
            </Button>
          </Group>
        </Alert>
      )}
    </Paper>
  );
}

function Outcome({ decision: { action, risk_score, risk_level } }: { readonly decision: Decision }) {
  return (
    <Group gap="xs">
      <Text size="xl" fw={650}>
        {risk_score}
      </Text>
      <LevelBadge level={risk_level} />
      <ActionBadge action={action} />
    </Group>
  );
}

/** Exported for its test. */
export function describeChange(found: Decision, now: Decision): string {
  if (found.action !== now.action) {
    return `${now.action} ${now.risk_score} in place of ${found.action} ${found.risk_score}`;
  }
  if (found.risk_score === now.risk_score) return `Still ${now.action} ${now.risk_score}`;
  return `Still ${now.action}, ${now.risk_score} in place of ${found.risk_score}`;
}

function describeEdits(edits: Facts): string {
  return Object.entries(edits)
    .map(([id, value]) => `${id} ${value ?? 'unknown'}`)
    .join(', ');
}
