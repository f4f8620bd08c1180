import { TextInput } from '@mantine/core';

interface Props {
  readonly value: string;
  readonly onChange: (why: string) => void;
}

/** The reason, for those who look at the history later. */
export function WhyInput({ value, onChange }: Props) {
  return (
    <TextInput
      label="Why"
      description="Stands in the history and in the audit trail."
      placeholder="optional"
      value={value}
      maxLength={300}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
