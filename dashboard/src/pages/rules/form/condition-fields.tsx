import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  Select,
  SimpleGrid,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { OPERATORS } from '../language/explain-word.ts';
import type { NamedCondition } from '../language/names.ts';
import type { Comparison, NamedUse, RuleForm } from '../language/rule-form.ts';
import type { RuleLanguage } from '../language/suggestions.ts';

interface Props {
  readonly language: RuleLanguage;
  readonly thresholds: readonly string[];
  readonly conditions: readonly NamedCondition[];
  /** Names of the lists that rules may look into. */
  readonly lists: readonly string[];
  readonly match: RuleForm['match'];
  readonly count: string;
  readonly comparisons: readonly (Comparison | NamedUse)[];
  readonly faults: Readonly<Record<string, string>>;
  readonly onMatch: (match: Pick<RuleForm, 'match' | 'count'>) => void;
  readonly onChange: (comparisons: readonly (Comparison | NamedUse)[]) => void;
}

const EMPTY: Comparison = { fact: '', operator: '', value: '' };

/** When a rule fires: a list of comparisons, of which all or any must hold. */
export function ConditionFields(props: Props) {
  const { language, thresholds, conditions, lists, match, count, comparisons, faults, onMatch, onChange } =
    props;
  return (
    <>
      <Group gap="sm" align="flex-start">
        <Select
          label="Fires when"
          data={[
            { value: 'all', label: 'all of these hold' },
            { value: 'any', label: 'any of these holds' },
            { value: 'at_least', label: 'so many of these hold' },
          ]}
          value={match}
          onChange={(value) =>
            value !== null && onMatch({ match: value, count: value === 'at_least' ? '2' : '' })
          }
          allowDeselect={false}
          maw={240}
        />
        {match === 'at_least' && (
          <TextInput
            label="At least"
            value={count}
            inputMode="numeric"
            onChange={(event) => onMatch({ match, count: event.currentTarget.value.trim() })}
            error={faults.count}
            maw={240}
          />
        )}
      </Group>
      {comparisons.map((one, place) => {
        const shared = {
          number: place + 1,
          fault: faults[`comparison ${place}`],
          onChange: (next: Comparison | NamedUse) => onChange(comparisons.with(place, next)),
          onRemove: () => onChange(comparisons.toSpliced(place, 1)),
        };
        return 'condition' in one ? (
          // Nothing else tells two empty ones apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: they are known by their place
          <NamedUseField key={place} {...shared} {...{ use: one, conditions }} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are known by their place
          <ComparisonFields key={place} {...shared} {...{ comparison: one, language, thresholds, lists }} />
        );
      })}
      {faults.comparisons !== undefined && (
        <Text size="sm" c="red" role="alert">
          {faults.comparisons}
        </Text>
      )}
      <Group gap="xs">
        <AddButton label="Add a condition" onClick={() => onChange([...comparisons, EMPTY])} />
        {conditions.length > 0 && (
          <AddButton
            label="Add one by its name"
            onClick={() => onChange([...comparisons, { condition: '' }])}
          />
        )}
      </Group>
    </>
  );
}

function AddButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={onClick}
      style={{ alignSelf: 'flex-start' }}
    >
      {label}
    </Button>
  );
}

interface LineProps {
  readonly number: number;
  readonly fault: string | undefined;
  readonly onRemove: () => void;
}

interface NamedUseProps extends LineProps {
  readonly use: NamedUse;
  readonly conditions: readonly NamedCondition[];
  readonly onChange: (use: NamedUse) => void;
}

/** A condition by its name, with what it stands for. */
function NamedUseField({ use, conditions, number, fault, onChange, onRemove }: NamedUseProps) {
  const { condition } = use;
  const names = conditions.map(({ name }) => name);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <Select
        flex={1}
        label={`Named condition ${number}`}
        description={conditions.find(({ name }) => name === condition)?.means}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        // Keeps a name that no file declares: lint reports it.
        data={condition === '' || names.includes(condition) ? names : [condition, ...names]}
        value={condition}
        onChange={(name) => name !== null && onChange({ condition: name })}
        allowDeselect={false}
        searchable
        error={fault}
      />
      <RemoveButton {...{ number, onRemove }} />
    </Group>
  );
}

function RemoveButton({ number, onRemove }: Pick<LineProps, 'number' | 'onRemove'>) {
  return (
    <ActionIcon
      size="lg"
      aria-label={`Remove condition ${number}`}
      onClick={onRemove}
      style={{ alignSelf: 'flex-start', marginTop: '1.6rem' }}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}

interface ComparisonProps extends LineProps {
  readonly comparison: Comparison;
  readonly language: RuleLanguage;
  readonly thresholds: readonly string[];
  readonly lists: readonly string[];
  readonly onChange: (comparison: Comparison) => void;
}

function ComparisonFields(props: ComparisonProps) {
  const { comparison, language, thresholds, lists, number, fault, onChange, onRemove } = props;
  const fact = language.facts.find(({ id }) => id === comparison.fact);
  const choose = (id: string | null) => {
    const chosen = language.facts.find((one) => one.id === id);
    if (!chosen) return;
    const operator = chosen.operators[0] ?? '';
    onChange({ fact: chosen.id, operator, value: chosen.type === 'boolean' ? 'true' : '' });
  };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs" flex={1}>
        <Select
          label={`Fact ${number}`}
          description={fact?.description}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={language.facts.filter(({ disabled }) => !disabled).map(({ id }) => id)}
          value={comparison.fact}
          onChange={choose}
          searchable
          error={fault}
        />
        <Select
          label={`Operator ${number}`}
          description={OPERATORS[comparison.operator]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[...(fact?.operators ?? (comparison.operator === '' ? [] : [comparison.operator]))]}
          value={comparison.operator}
          onChange={(operator) => operator !== null && onChange(withOperator(comparison, operator))}
          disabled={fact === undefined}
          allowDeselect={false}
        />
        <ValueField {...{ comparison, fact, thresholds, lists, number, onChange }} />
      </SimpleGrid>
      <RemoveButton {...{ number, onRemove }} />
    </Group>
  );
}

interface ValueProps
  extends Pick<ComparisonProps, 'comparison' | 'thresholds' | 'lists' | 'number' | 'onChange'> {
  readonly fact: RuleLanguage['facts'][number] | undefined;
}

/** One value or several; a select where the values of the fact are known. */
function ValueField({ comparison, fact, thresholds, lists, number, onChange }: ValueProps) {
  const { operator, value } = comparison;
  const shared = { label: `Value ${number}`, disabled: fact === undefined };
  const put = (next: Comparison['value'] | null) => next !== null && onChange({ ...comparison, value: next });
  const known = fact?.type === 'boolean' ? ['true', 'false'] : [...(fact?.values ?? [])];
  if (takesSeveral(operator)) {
    return (
      <TagsInput
        {...shared}
        data={known}
        value={typeof value === 'string' ? [] : [...value]}
        onChange={put}
      />
    );
  }
  const text = typeof value === 'string' ? value : '';
  if (operator.endsWith('in_list')) {
    return (
      <Select
        {...shared}
        data={[...lists]}
        value={text}
        onChange={put}
        allowDeselect={false}
        searchable
        nothingFoundMessage="Make a list first: New file, lists/name.yaml"
      />
    );
  }
  if (fact?.type === 'text' || fact?.type === 'domain') {
    return <TextInput {...shared} value={text} onChange={(event) => put(event.currentTarget.value)} />;
  }
  if (known.length > 0) {
    return <Select {...shared} data={known} value={text} onChange={put} allowDeselect={false} />;
  }
  // A number, or the name of a threshold.
  return <Autocomplete {...shared} data={[...thresholds]} value={text} onChange={put} />;
}

const takesSeveral = (operator: string) => operator === 'in' || operator === 'notIn';

/** What kind of value an operator takes. */
const kindOf = (operator: string) =>
  takesSeveral(operator) ? 'several' : operator.endsWith('in_list') ? 'list' : 'one';

function withOperator(comparison: Comparison, operator: string): Comparison {
  if (kindOf(operator) === kindOf(comparison.operator)) return { ...comparison, operator };
  return { ...comparison, operator, value: takesSeveral(operator) ? [] : '' };
}
