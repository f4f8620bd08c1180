import { Stack } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { formatShare } from '../../../format/numbers.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { Replay } from '../queries.ts';
import { CurveChart } from './curve-chart.tsx';
import { costCurve, precisionCurve, rocCurve } from './curve-points.ts';

/** How well the score tells good from bad, wherever BLOCK might begin. */
export function Curves({ replay }: { readonly replay: Replay }) {
  const { cases, sweep } = replay;
  if (cases.good === 0 || cases.bad === 0) {
    return (
      <EmptyState
        icon={IconTags}
        title="Labels are wanted"
        action={
          <CopyButton
            value="postern labels import outcomes.csv --good kept --bad chargeback"
            label="Copy the command"
            isWide
          />
        }
      >
        {cases.good + cases.bad === 0 ? 'No check' : cases.good === 0 ? 'No good signup' : 'No bad signup'} of
        these days is labelled. Tell what became of your signups, on the page of a check or as a file from
        your systems, and these curves say how many good ones each threshold turns away and how many bad ones
        it stops.
      </EmptyState>
    );
  }
  const both = (curve: typeof rocCurve) => ({
    base: curve(sweep.base, cases),
    candidate: curve(sweep.candidate, cases),
  });
  const { threshold, cheapest } = sweep.candidate;
  return (
    <Stack gap="lg">
      <CurveChart
        title="ROC"
        description={`Bad ones stopped over good ones turned away. Area under the curve: ${sweep.candidate.auc ?? '–'}, in force ${sweep.base.auc ?? '–'}.`}
        x="good turned away"
        y="bad stopped"
        curves={both(rocCurve)}
        marked={threshold}
        format={formatShare}
        formatTick={formatWhole}
      />
      <CurveChart
        title="Precision and recall"
        description="Of those that are blocked, how many are bad, over how many of the bad are blocked."
        x="bad stopped"
        y="blocked that are bad"
        curves={both(precisionCurve)}
        marked={threshold}
        format={formatShare}
        formatTick={formatWhole}
      />
      <CurveChart
        title="Cost by threshold"
        description={`Per labelled check, in bad ones let in. Cheapest from ${cheapest ?? '–'}; BLOCK begins at ${threshold ?? 'no one score'}.`}
        x="BLOCK from"
        y="cost"
        curves={both(costCurve)}
        marked={threshold}
        format={(value) => value.toFixed(3)}
        formatX={(value) => String(Math.round(value))}
        formatTick={(value) => value.toFixed(1)}
      />
      <Dimmed>
        Of labelled checks alone. A signup that was blocked has an outcome only where it was labelled all the
        same.
      </Dimmed>
    </Stack>
  );
}

function formatWhole(share: number): string {
  return `${Math.round(share * 100)} %`;
}
