import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { useSearchParams } from 'wouter';
import { type Range, readRange, writeRange } from '../format/ranges.ts';
import { formatDay } from '../format/times.ts';
import { fieldsOf } from './form-fields.ts';

const PRESET_LABELS = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
];

/** The range in the page's address, so that it can be sent to others and survives a reload; and how to change it. */
export function useRange(): readonly [Range, (range: Range) => void] {
  const [search, setSearch] = useSearchParams();
  return [readRange(search), (range) => setSearch((current) => writeRange(current, range))];
}

interface Props {
  readonly value: Range;
  readonly onChange: (range: Range) => void;
}

export function RangePicker({ value, onChange }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const preset = 'preset' in value ? value.preset : '';
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { from, to } = fieldsOf(event.currentTarget, ['from', 'to']);
    // Days are taken whole, and in UTC as everywhere in the records.
    const end = new Date(Date.parse(to) + DAY_MS);
    const range = { from: new Date(from).toISOString(), to: end.toISOString() };
    if (range.from < range.to) onChange(range);
    close();
  };
  return (
    <Group gap="xs" role="group" aria-label="Time range">
      <SegmentedControl
        size="xs"
        aria-label="Until now"
        data={PRESET_LABELS}
        value={preset}
        onChange={(next) => onChange(readRange(new URLSearchParams({ range: next })))}
      />
      <Popover opened={isOpen} onChange={close} position="bottom-end" shadow="md" trapFocus>
        <Popover.Target>
          <Button size="xs" variant={'preset' in value ? 'default' : 'light'} onClick={toggle}>
            {'preset' in value ? 'Other days' : `${formatDay(value.from)} – ${formatDay(lastDay(value.to))}`}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <form onSubmit={apply}>
            <Stack gap="xs">
              <TextInput type="date" name="from" label="From (UTC)" required withAsterisk={false} />
              <TextInput type="date" name="to" label="To, this day too" required withAsterisk={false} />
              <Button type="submit" size="xs">
                Show these days
              </Button>
            </Stack>
          </form>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}

const DAY_MS = 86_400_000;

/** The end of a range is the first instant that is not in it. */
function lastDay(to: string): number {
  return Date.parse(to) - 1;
}
