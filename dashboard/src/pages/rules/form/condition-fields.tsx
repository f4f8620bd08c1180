import { ActionIcon, Autocomplete, Button, Group, Select, SimpleGrid, TagsInput, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { OPERATORS } from '../language/explain-word.ts';
import type { Comparison, RuleForm } from '../language/rule-form.ts';
import type { RuleLanguage } from '../language/suggestions.ts';

interface Props {
  readonly language: RuleLanguage;
  readonly thresholds: readonly string[];
  readonly match: RuleForm['match'];
  readonly comparisons: readonly Comparison[];
  readonly faults: Readonly<Record<string, string>>;
  readonly onMatch: (match: RuleForm['match']) => void;
  readonly onChange: (comparisons: readonly Comparison[]) => void;
}

const EMPTY: Comparison = { fact: '', operator: '', value: '' };

/** When a rule fires: a list of comparisons, of which all or any must hold. */
export function ConditionFields(props: Props) {
  const { language, thresholds, match, comparisons, faults, onMatch, onChange } = props;
  return (
    <>
      <Select
        label="Fires when"
        data={[
          { value: 'all', label: 'all of these hold' },
          { value: 'any', label: 'any of these holds' },
        ]}
        value={match}
        onChange={(value) => onMatch(value === 'any' ? 'any' : 'all')}
        allowDeselect={false}
        maw={240}
      />
      {comparisons.map((comparison, place) => (
        <ComparisonFields
          // Nothing else tells two empty ones apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: they are known by their place
          key={place}
          {...{ comparison, language, thresholds }}
          number={place + 1}
          fault={faults[`comparison ${place}`]}
          onChange={(next) => onChange(comparisons.with(place, next))}
          onRemove={() => onChange(comparisons.toSpliced(place, 1))}
        />
      ))}
      {faults.comparisons !== undefined && (
        <Text size="sm" c="red" role="alert">
          {faults.comparisons}
        </Text>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...comparisons, EMPTY])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add a condition
      </Button>
    </>
  );
}

interface ComparisonProps {
  readonly comparison: Comparison;
  readonly language: RuleLanguage;
  readonly thresholds: readonly string[];
  readonly number: number;
  readonly fault: string | undefined;
  readonly onChange: (comparison: Comparison) => void;
  readonly onRemove: () => void;
}

function ComparisonFields(props: ComparisonProps) {
  const { comparison, language, thresholds, number, fault, onChange, onRemove } = props;
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
        <ValueField {...{ comparison, fact, thresholds, number, onChange }} />
      </SimpleGrid>
      <ActionIcon
        size="lg"
        aria-label={`Remove condition ${number}`}
        onClick={onRemove}
        style={{ alignSelf: 'flex-start', marginTop: '1.6rem' }}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

interface ValueProps extends Pick<ComparisonProps, 'comparison' | 'thresholds' | 'number' | 'onChange'> {
  readonly fact: RuleLanguage['facts'][number] | undefined;
}

/** One value or several, chosen where the fact's are known. */
function ValueField({ comparison, fact, thresholds, number, onChange }: ValueProps) {
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
  if (known.length > 0) {
    return <Select {...shared} data={known} value={text} onChange={put} allowDeselect={false} />;
  }
  // A number, or the name of one.
  return <Autocomplete {...shared} data={[...thresholds]} value={text} onChange={put} />;
}

const takesSeveral = (operator: string) => operator === 'in' || operator === 'notIn';

function withOperator(comparison: Comparison, operator: string): Comparison {
  if (takesSeveral(operator) === takesSeveral(comparison.operator)) return { ...comparison, operator };
  return { ...comparison, operator, value: takesSeveral(operator) ? [] : '' };
}
