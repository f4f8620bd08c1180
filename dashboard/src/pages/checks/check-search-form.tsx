import { Button, Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { useAddress } from '../../address.ts';
import { hasCode } from '../../api/api-error.ts';
import { useNamePerson } from '../../api/checks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';
import { type CheckFilters, type FilterName, understand } from './check-filters.ts';
import classes from './checks.module.css';
import { isPseudonym } from './pseudonym.tsx';

const CHOICES: readonly {
  readonly name: FilterName;
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
}[] = [
  { name: 'action', label: 'Answer', data: choices('ALLOW', 'BLOCK') },
  { name: 'level', label: 'Level', data: choices('low', 'medium', 'high') },
  {
    name: 'label',
    label: 'Label',
    data: [...choices('good', 'bad'), { value: 'none', label: 'not labelled' }],
  },
  {
    name: 'environment',
    label: 'Key',
    data: [
      { value: 'live', label: 'live keys' },
      { value: 'test', label: 'test keys' },
    ],
  },
];

/** One field for anything that is known of a check, and selects for filters with few values. */
export function CheckSearchForm({ filters }: { readonly filters: CheckFilters }) {
  const [, put] = useAddress();
  const namePerson = useNamePerson();
  const field = useRef<HTMLInputElement>(null);
  const [isPseudonymTyped, setPseudonymTyped] = useState(false);
  const isUnreadable = hasCode(namePerson.error, 'unparseable_email');
  const search = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { what } = fieldsOf(event.currentTarget, ['what']);
    namePerson.reset();
    setPseudonymTyped(isPseudonym(what));
    if (isPseudonym(what)) return;
    const understood = understand(what);
    const named = 'email' in understood ? await personOf(understood.email) : understood;
    // The answer may come once another page is open: it must not navigate away from it.
    if (named === null || field.current === null) return;
    put(named);
    // Not where the next search is typed already.
    if (field.current.value === what) field.current.value = '';
  };
  const personOf = async (email: string): Promise<CheckFilters | null> => {
    // The error is shown below.
    const named = await namePerson.mutateAsync(email).catch(() => null);
    return named && { person: named.person };
  };
  return (
    <>
      <form onSubmit={search} className={classes.form}>
        <TextInput
          ref={field}
          name="what"
          type="search"
          label="Search"
          description="An id, an address, a domain (.example.org for all below it), a rule, a key, or the hash of a rule set"
          leftSection={<IconSearch size={16} aria-hidden />}
          error={
            isPseudonymTyped
              ? 'A pseudonym cannot be searched for. Press it in the table, or write the address.'
              : isUnreadable && 'Write an address such as jane@example.org, or a domain such as example.org'
          }
          autoComplete="off"
          spellCheck={false}
          className={classes.what}
        />
        <Button type="submit" loading={namePerson.isPending}>
          Search
        </Button>
      </form>
      <Group gap="sm" align="flex-end">
        {CHOICES.map(({ name, label, data }) => (
          <Select
            key={name}
            size="xs"
            w={130}
            label={label}
            placeholder="any"
            clearable
            data={[...data]}
            value={filters[name] ?? null}
            onChange={(value) => put({ [name]: value })}
          />
        ))}
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <ScoreField name="min_score" label="Score from" value={filters.min_score} onApply={put} />
          <ScoreField name="max_score" label="up to" value={filters.max_score} onApply={put} />
        </Group>
      </Group>
      {!isUnreadable && <ErrorNotice error={namePerson.error} deed="The address was not looked for" />}
    </>
  );
}

interface ScoreProps {
  readonly name: 'min_score' | 'max_score';
  readonly label: string;
  readonly value: string | undefined;
  readonly onApply: (changes: CheckFilters) => void;
}

/** Applies on blur or Enter: a search for each digit would be one too many. */
function ScoreField({ name, label, value = '', onApply }: ScoreProps) {
  const [isWrong, setWrong] = useState(false);
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  // Reset by hand, not by `key`: another field in its place would not have the focus.
  if (shown !== value) {
    setShown(value);
    setTyped(value);
    setWrong(false);
  }
  const take = (text: string) => {
    const isScore = text === '' || /^(?:\d{1,2}|100)$/.test(text);
    setWrong(!isScore);
    if (isScore && text !== value) onApply({ [name]: text });
  };
  return (
    <TextInput
      size="xs"
      w={84}
      type="number"
      min={0}
      max={100}
      label={label}
      placeholder="any"
      value={typed}
      error={isWrong && '0 to 100'}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={(event) => take(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take(event.currentTarget.value);
      }}
    />
  );
}

function choices(...values: readonly string[]) {
  return values.map((value) => ({ value, label: value }));
}
