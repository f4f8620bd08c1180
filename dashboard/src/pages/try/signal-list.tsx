import { Badge, Code, Group, Skeleton, Text } from '@mantine/core';
import type { Answered, Begun, TriableFact, Trial } from '../../api/try-it.ts';
import { formatMicroseconds } from '../../format/numbers.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { EditedFacts } from './edited-facts.ts';
import { FactField } from './fact-field.tsx';
import classes from './try.module.css';

interface Props {
  readonly trial: Trial & { readonly begun: Begun };
  readonly facts: readonly TriableFact[];
  readonly edited: EditedFacts;
}

/** Every provider in the order in which it answered, then those that are still asked. */
export function SignalList({ trial, facts, edited }: Props) {
  const { begun, answers, decided, isRunning } = trial;
  const answered = new Set(answers.map(({ provider }) => provider));
  const open = begun.providers.filter(({ id }) => !answered.has(id));
  // The time that the bars span: up to the decision, and until it is made up to the deadline.
  const scaleUs = Math.max(decided?.at_us ?? begun.deadline_ms * 1000, 1);
  return (
    <Panel
      title="Signals"
      description="What each provider found, in the order in which it was there. Put other values in their place and watch the decision."
    >
      <Dimmed size="sm" role="status" mb="sm">
        {open.length === 0
          ? `All ${answers.length} have answered.`
          : `${answers.length} of ${begun.providers.length} have answered.`}
      </Dimmed>
      <ul className={classes.signals}>
        {answers.map((answer) => (
          <SignalOf
            key={answer.provider}
            {...{ answer, scaleUs, edited }}
            facts={ofProvider(facts, answer)}
            isSettled={decided !== null}
          />
        ))}
        {open.map(({ id, stage }) => (
          <li key={id} className={classes.signal}>
            <SignalHead id={id} note={isRunning ? waitingText(stage) : 'has not answered'} />
            {isRunning && <Skeleton h={6} mt={6} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function waitingText(stage: Begun['providers'][number]['stage']): string {
  return stage === 'network' ? 'is asked …' : 'waits for a look-up …';
}

function ofProvider(facts: readonly TriableFact[], { facts: said }: Answered): readonly TriableFact[] {
  return facts.filter(({ id }) => id in said);
}

interface SignalProps {
  readonly answer: Answered;
  readonly scaleUs: number;
  readonly facts: readonly TriableFact[];
  readonly edited: EditedFacts;
  readonly isSettled: boolean;
}

function SignalOf({ answer, scaleUs, facts, edited, isSettled }: SignalProps) {
  const { provider, outcome, took_us, at_us, evidence, unknown } = answer;
  const begins = Math.max(0, at_us - took_us);
  return (
    <li className={classes.signal}>
      <SignalHead
        id={provider}
        note={took_us === 0 ? 'at once, or kept' : formatMicroseconds(took_us)}
        outcome={outcome}
      />
      <div className={classes.track} aria-hidden>
        <div
          className={classes.time}
          style={{ left: `${(100 * begins) / scaleUs}%`, width: `${(100 * took_us) / scaleUs}%` }}
        />
      </div>
      {facts.map((fact) => (
        <FactField
          key={fact.id}
          fact={isSettled ? fact : { ...fact, disabled: true }}
          value={isSettled ? (edited.facts[fact.id] ?? null) : (answer.facts[fact.id] ?? null)}
          found={answer.facts[fact.id] ?? null}
          reason={unknown[fact.id]}
          onChange={(value) => edited.edit(fact.id, value)}
        />
      ))}
      {evidence !== null && Object.keys(evidence).length > 0 && (
        <details className={classes.evidence}>
          <summary>Evidence</summary>
          <Code block>{JSON.stringify(evidence, null, 1)}</Code>
        </details>
      )}
    </li>
  );
}

function SignalHead({
  id,
  note,
  outcome = 'known',
}: {
  readonly id: string;
  readonly note: string;
  readonly outcome?: string;
}) {
  const hasFailed = outcome !== 'known' && outcome !== 'not_run';
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Text size="sm" fw={600} component="h3">
          {id}
        </Text>
        {hasFailed && (
          <Badge size="xs" color="yellow">
            {outcome}
          </Badge>
        )}
      </Group>
      <Dimmed>{note}</Dimmed>
    </Group>
  );
}
