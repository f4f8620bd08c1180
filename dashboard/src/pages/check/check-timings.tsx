import type { WholeCheck } from '../../api/checks.ts';
import { formatMicroseconds } from '../../format/numbers.ts';
import { HorizontalBars } from '../../ui/charts/horizontal-bars.tsx';
import { Panel } from '../../ui/panel.tsx';

export function CheckTimings({ check: { signals, duration_us } }: { readonly check: WholeCheck }) {
  const bars = signals.flatMap(({ provider, took_us }) =>
    took_us === null ? [] : [{ id: provider, label: provider, value: took_us }],
  );
  return (
    <Panel
      title="How long it took"
      description={
        duration_us === null
          ? 'Each provider by itself; those that ask the network do so side by side.'
          : `${formatMicroseconds(duration_us)} from the call to the decision. Each provider by itself; those that ask the network do so side by side.`
      }
    >
      <HorizontalBars title="Time of each provider" bars={bars} format={formatMicroseconds} />
    </Panel>
  );
}
