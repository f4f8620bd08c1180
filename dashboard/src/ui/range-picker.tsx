import { Button, Group, SegmentedControl } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useAddress } from '../address.ts';
import { addressOf, type Range, readRange } from '../format/ranges.ts';
import { formatDay } from '../format/times.ts';

const OtherDays = lazy(() => import('./other-days.tsx'));

const PRESET_LABELS = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
];

/** The range in the URL, where it can be shared and survives a reload, and a function that changes it. */
export function useRange(): readonly [Range, (range: Range) => void] {
  const [search, put] = useAddress();
  return [readRange(search), (range) => put(addressOf(range))];
}

interface Props {
  readonly value: Range;
  readonly onChange: (range: Range) => void;
}

export function RangePicker({ value, onChange }: Props) {
  const isPreset = 'preset' in value;
  const [isWanted, setWanted] = useState(false);
  const button = {
    variant: isPreset ? 'default' : 'light',
    children: isPreset ? 'Other days' : `${formatDay(value.from)} – ${formatDay(lastDay(value.to))}`,
  };
  return (
    <Group gap="xs" role="group" aria-label="Time range">
      <SegmentedControl
        size="xs"
        aria-label="Until now"
        data={PRESET_LABELS}
        value={isPreset ? value.preset : ''}
        onChange={(next) => onChange(readRange(new URLSearchParams({ range: next })))}
      />
      <Suspense fallback={<Button size="xs" onClick={() => setWanted(true)} {...button} />}>
        <OtherDays {...{ button, isWanted, onChange }} />
      </Suspense>
    </Group>
  );
}

/** The end of a range is the first instant that is not in it. */
function lastDay(to: string): number {
  return Date.parse(to) - 1;
}
