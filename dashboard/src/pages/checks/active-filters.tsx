import { Button, Group, Pill } from '@mantine/core';
import { useAddress } from '../../address.ts';
import { addressOf, type Range } from '../../format/ranges.ts';
import { formatInstant } from '../../format/times.ts';
import { RangePicker } from '../../ui/range-picker.tsx';
import { type CheckFilters, FILTER_NAMES, type FilterName } from './check-filters.ts';
import { pseudonymOf } from './pseudonym.tsx';
import { SavedSearches } from './saved-dialog.tsx';

const WORDS: Readonly<Record<FilterName, string>> = {
  id: 'id',
  person: 'address',
  domain: 'domain',
  rule: 'rule',
  action: 'answer',
  level: 'level',
  environment: 'key',
  min_score: 'score from',
  max_score: 'score up to',
  label: 'label',
  ruleset: 'rule set',
  key_id: 'key',
  flips: 'flipped by',
};

interface Props {
  readonly filters: CheckFilters;
  readonly range: Range | null;
}

/** The active filters; each can be removed. */
export function ActiveFilters({ filters, range }: Props) {
  const [, put] = useAddress();
  const names = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  return (
    <Group gap="xs" justify="space-between">
      <Group gap="xs">
        {names.map((name) => (
          <Pill
            key={name}
            size="md"
            withRemoveButton
            onRemove={() => put({ [name]: null })}
            removeButtonProps={{
              'aria-label': `Do not narrow by ${WORDS[name]}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {`${WORDS[name]} ${shown(name, filters[name] ?? '')}`}
          </Pill>
        ))}
      </Group>
      <Group gap="xs">
        <SavedSearches />
        {range !== null &&
          !('preset' in range) &&
          `${formatInstant(range.from)} – ${formatInstant(range.to)}`}
        {range === null ? (
          <Button size="xs" variant="subtle" onClick={() => put(addressOf({ preset: '24h' }))}>
            Choose a time
          </Button>
        ) : (
          <>
            <RangePicker value={range} onChange={(next) => put(addressOf(next))} />
            <Button size="xs" variant="subtle" onClick={() => put(addressOf(null))}>
              All of time
            </Button>
          </>
        )}
      </Group>
    </Group>
  );
}

function shown(name: FilterName, value: string): string {
  return name === 'person' ? `${pseudonymOf(value)} (hashed)` : value;
}
