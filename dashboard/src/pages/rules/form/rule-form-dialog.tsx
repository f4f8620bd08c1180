import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../../ui/dialog-form.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { namesIn, type RuleFiles } from '../language/names.ts';
import { faultsOf, type RuleForm, writeRule } from '../language/rule-form.ts';
import { type RuleLanguage, schemaNameOf } from '../language/suggestions.ts';
import { ConditionFields } from './condition-fields.tsx';
import { RolloutFields } from './rollout-fields.tsx';

interface Props {
  readonly files: RuleFiles;
  readonly language: RuleLanguage;
  /** The rule as the text has it; null for a new one. */
  readonly rule: RuleForm | null;
  /** The file of a new rule, unless another one is chosen. */
  readonly file: string;
  readonly onWrite: (file: string, text: string, id: string) => void;
  readonly onClose: () => void;
}

const MODES = [
  { value: 'shadow', label: 'shadow: tried, and never counts' },
  { value: 'live', label: 'live: counts' },
  { value: 'off', label: 'off: does nothing' },
];

/** A rule as a form: it is read from the text when it opens, and written into it. */
export function RuleFormDialog({ files, language, rule, file, onWrite, onClose }: Props) {
  const groups = Object.keys(files).filter((path) => schemaNameOf(path) === 'group');
  const [form, setForm] = useState<RuleForm>(
    () => rule ?? emptyRule(files, groups.includes(file) ? file : groups[0]),
  );
  const [isTried, setTried] = useState(false);
  const isText = (fact: string) => !NO_TEXTS.has(language.facts.find(({ id }) => id === fact)?.type ?? '');
  const faults = isTried ? faultsOf(form, rule, files, isText) : {};
  const put = (part: Partial<RuleForm>) => setForm({ ...form, ...part });
  const submit = () => {
    setTried(true);
    if (Object.keys(faultsOf(form, rule, files, isText)).length > 0) return;
    onWrite(form.file, writeRule(files[form.file] ?? '', rule, form, isText), form.id);
  };
  return (
    <FormDialog
      title={rule === null ? 'New rule' : `Rule ${rule.id}`}
      size="xl"
      submitLabel="Write it into the text"
      onSubmit={submit}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Name"
          description="Unique, and never used again for another rule."
          value={form.id}
          onChange={(event) => put({ id: event.currentTarget.value })}
          error={faults.id}
          data-autofocus
        />
        <Select
          label="Group"
          description="Its file; the group's points are capped together."
          data={groups}
          value={form.file}
          onChange={(value) => value !== null && put({ file: value })}
          disabled={rule !== null}
          allowDeselect={false}
        />
      </SimpleGrid>
      <TextInput
        label="Description"
        description="A sentence that a support agent can read out."
        value={form.description}
        onChange={(event) => put({ description: event.currentTarget.value })}
        error={faults.description}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
        <TextInput
          label="Points"
          value={form.points}
          inputMode="numeric"
          onChange={(event) => put({ points: event.currentTarget.value.replace('−', '-') })}
          error={faults.points}
        />
        <Select
          label="Mode"
          data={MODES}
          value={form.mode}
          onChange={(value) => value !== null && put({ mode: value })}
          allowDeselect={false}
          comboboxProps={{ width: 280, position: 'bottom-start' }}
        />
        <TextInput
          label="Owner"
          value={form.owner}
          onChange={(event) => put({ owner: event.currentTarget.value })}
          error={faults.owner}
        />
        <TextInput
          label="Starts on"
          placeholder="at once"
          value={form.starts}
          onChange={(event) => put({ starts: event.currentTarget.value.trim() })}
          error={faults.starts}
        />
        <TextInput
          label="Ends on"
          placeholder="never"
          value={form.expires}
          onChange={(event) => put({ expires: event.currentTarget.value.trim() })}
          error={faults.expires}
        />
      </SimpleGrid>
      <RolloutFields {...{ form, faults }} before={rule} onChange={put} />
      {form.comparisons === null ? (
        <Dimmed size="sm">Its conditions are nested. They stay as they are: change them in the text.</Dimmed>
      ) : (
        <Stack gap="xs">
          <ConditionFields
            {...{ language, faults }}
            thresholds={namesIn(files).thresholds.map(({ name }) => `threshold.${name}`)}
            conditions={namesIn(files).conditions}
            lists={namesIn(files).lists.map(({ name }) => name)}
            match={form.match}
            count={form.count}
            comparisons={form.comparisons}
            onMatch={put}
            onChange={(comparisons) => put({ comparisons })}
          />
        </Stack>
      )}
    </FormDialog>
  );
}

/** Types of facts whose values are no texts. */
const NO_TEXTS: ReadonlySet<string> = new Set(['boolean', 'integer', 'number']);

/** A new rule begins in shadow mode, with the owner of most rules. */
function emptyRule(files: RuleFiles, file = ''): RuleForm {
  const owners = namesIn(files).rules.map(({ owner }) => owner);
  const countOf = (owner: string) => owners.filter((one) => one === owner).length;
  const [owner = ''] = [...new Set(owners)].toSorted((a, b) => countOf(b) - countOf(a));
  const rest = {
    id: '',
    description: '',
    mode: 'shadow',
    points: '',
    percent: '',
    salt: '',
    starts: '',
    expires: '',
  };
  return {
    ...rest,
    file,
    owner,
    match: 'all',
    count: '',
    comparisons: [{ fact: '', operator: '', value: '' }],
  };
}
