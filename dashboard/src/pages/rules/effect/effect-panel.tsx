import { Alert, Group, Loader, Paper, Select, Stack, Tabs, Text } from '@mantine/core';
import { IconChartHistogram, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatCount, formatCounted } from '../../../format/numbers.ts';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { SPAN_CHOICES, type Tab } from '../address.ts';
import type { NamedRule, RuleFiles } from '../language/names.ts';
import type { HowToReplay, Replay, ReplayAnswer } from '../queries.ts';
import type { Workspace } from '../workspace.ts';
import { AllFlips } from './all-flips.tsx';
import { Curves } from './curves.tsx';
import classes from './effect-panel.module.css';
import { Flips } from './flips.tsx';
import { RulesTable } from './rules-table.tsx';
import { Scores } from './scores.tsx';
import { UnjudgedAlert } from './unjudged-alert.tsx';

interface Props {
  readonly answer: ReplayAnswer | undefined;
  readonly error: unknown;
  readonly onRetry: () => unknown;
  readonly isBusy: boolean;
  readonly workspace: Workspace;
  readonly how: HowToReplay;
  readonly tab: Tab;
  readonly onTab: (tab: string) => void;
  readonly onHow: (how: HowToReplay) => void;
  readonly onRule: (id: string) => void;
  readonly onForm: (rule: NamedRule) => void;
  readonly onEdit: (change: (files: RuleFiles) => RuleFiles) => void;
}

/** The bounds that the service takes. */
const [LEAST_RATIO, MOST_RATIO] = [0.1, 1000];
const isRatio = (number: number) => number >= LEAST_RATIO && number <= MOST_RATIO;

/** The effect of the text on the checks on record, compared with the rules in force. Default export: it is loaded on demand. */
export default function EffectPanel(props: Props) {
  const { answer, error, onRetry, isBusy, workspace, how, tab, onTab, onHow, onRule, onForm, onEdit } = props;
  const shown = useLastReplay(answer);
  // Kept here, so that it stays as it is typed while another tab is open.
  const [ratio, setRatio] = useState(how.costRatio);
  const judged = shown !== null && shown.cases.total > 0 ? shown : null;
  const nothing = shown && <NoChecks />;
  const changeRatio = (typed: number | null) => {
    setRatio(typed ?? how.costRatio);
    if (typed !== null && isRatio(typed)) onHow({ ...how, costRatio: typed });
  };
  return (
    <Paper component="section" aria-label="Effect" className={classes.panel}>
      <Stack gap="md">
        <Group gap="xs" justify="space-between">
          <Select
            aria-label="Checks of"
            data={SPAN_CHOICES}
            value={String(how.days)}
            onChange={(value) => value !== null && onHow({ ...how, days: Number(value) })}
            allowDeselect={false}
            size="xs"
            w={140}
          />
          <Dimmed role="status" className={classes.state}>
            {isBusy ? <Working /> : shown && describeRun(shown)}
          </Dimmed>
        </Group>
        <ErrorNotice error={error} deed="The effect could not be worked out" onRetry={onRetry} />
        {answer?.state === 'faulty' && (
          <Alert
            color="yellow"
            variant="light"
            icon={<IconInfoCircle aria-hidden />}
            title="The rules have errors"
          >
            <Text size="sm">
              {shown ? 'What you see is of the last text without one.' : 'Mend them, and the figures come.'}
            </Text>
          </Alert>
        )}
        {shown && <UnjudgedAlert unjudged={shown.unjudged} />}
        <Tabs value={tab} onChange={(value) => onTab(value ?? 'scores')} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="scores">Scores</Tabs.Tab>
            <Tabs.Tab value="flips">Flips</Tabs.Tab>
            <Tabs.Tab value="rules">Rules</Tabs.Tab>
            <Tabs.Tab value="curves">Curves</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="scores">
            {judged ? <Scores replay={judged} files={workspace.files} onEdit={onEdit} /> : nothing}
          </Tabs.Panel>
          <Tabs.Panel value="flips">
            {judged ? (
              <Stack gap="md">
                <AllFlips workspace={workspace} days={how.days} />
                <Flips replay={judged} />
              </Stack>
            ) : (
              nothing
            )}
          </Tabs.Panel>
          <Tabs.Panel value="rules">
            <RulesTable replay={judged} files={workspace.files} onOpen={onRule} onForm={onForm} />
          </Tabs.Panel>
          <Tabs.Panel value="curves">
            {judged ? (
              <Stack gap="md">
                <NumberField
                  label="Cost of one good signup turned away"
                  description="In bad ones let in: 5 says that to lose a customer is as dear as five abusers."
                  value={ratio}
                  error={!isRatio(ratio) && `0.1 to 1000; the figures go by ${how.costRatio}`}
                  onChange={changeRatio}
                  min={LEAST_RATIO}
                  max={MOST_RATIO}
                  size="xs"
                  maw={280}
                />
                <Curves replay={judged} />
              </Stack>
            ) : (
              nothing
            )}
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Paper>
  );
}

function NoChecks() {
  return (
    <EmptyState icon={IconChartHistogram} title="No checks on record yet">
      Once your signup asks Postern, its checks of the last days stand here: how they score, and what a change
      of the rules would have made of each. Checks with test keys do not count.
    </EmptyState>
  );
}

function Working() {
  return (
    <Group gap={6} component="span">
      <Loader size={14} aria-hidden /> Working it out
    </Group>
  );
}

/** The last replay stays while the text has errors, and thus no figures. */
function useLastReplay(answer: ReplayAnswer | undefined): Replay | null {
  const [last, setLast] = useState<Replay | null>(null);
  const replay = answer?.replay ?? null;
  useEffect(() => {
    if (replay !== null) setLast(replay);
  }, [replay]);
  return replay ?? last;
}

function describeRun({ corpus, took_ms }: Replay): string {
  const some =
    corpus.of > corpus.checks
      ? `the newest ${formatCount(corpus.checks)} of ${formatCounted(corpus.of, 'check')}`
      : formatCounted(corpus.checks, 'check');
  return `${some}, judged in ${(took_ms / 1000).toFixed(2)} s`;
}
