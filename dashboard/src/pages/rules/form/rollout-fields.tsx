import { SimpleGrid, TextInput } from '@mantine/core';
import type { RuleForm } from '../language/rule-form.ts';

interface Props {
  readonly form: RuleForm;
  /** The rule as the text has it; null for a new one. */
  readonly before: RuleForm | null;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (part: Pick<RuleForm, 'percent' | 'salt'>) => void;
}

/** The percentage of people for whom a rule counts. Shown for a live rule, and for another where the form or the text has one already. */
export function RolloutFields({ form, before, faults, onChange }: Props) {
  const { id, mode, percent, salt } = form;
  const isThere = percent !== '' || (before !== null && before.percent !== '');
  if (mode !== 'live' && !isThere) return null;
  const isRenamed = before !== null && before.percent !== '' && before.id !== id && salt === '';
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        label="Percent of people"
        description={describeEffect(form)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="everyone"
        value={percent}
        inputMode="numeric"
        onChange={(event) => {
          const next = event.currentTarget.value.replace(/\s*%\s*$/, '');
          onChange({ percent: next, salt: next === '' ? '' : salt });
        }}
        error={faults.percent}
      />
      {percent !== '' && (
        <TextInput
          label="Salt"
          description={
            isRenamed
              ? `By its new name it chooses other people; the salt ${before.id} keeps them.`
              : 'Which people these are: by the same salt the same.'
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={id}
          value={salt}
          onChange={(event) => onChange({ percent, salt: event.currentTarget.value.trim() })}
          error={faults.salt}
        />
      )}
    </SimpleGrid>
  );
}

function describeEffect({ id, mode, percent }: RuleForm): string {
  if (percent === '') return 'Left empty, it counts for everyone.';
  if (mode === 'live') return 'For the others it changes nothing.';
  return `${id} is ${mode === 'off' ? 'off' : 'in shadow'}: its rollout does nothing until it is live.`;
}
