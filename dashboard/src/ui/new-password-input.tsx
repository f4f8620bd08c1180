import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { LONGEST_PASSWORD, passwordHint, SHORTEST_PASSWORD } from './password-hint.ts';

interface Props {
  readonly name: string;
  readonly label: string;
  /** Why it was refused. */
  readonly error?: string | undefined;
}

/** A field for a new password. Only its length is checked; a hint tells it during typing. */
export function NewPasswordInput({ name, label, error }: Props) {
  const [value, setValue] = useState('');
  return (
    <PasswordInput
      name={name}
      label={label}
      error={error}
      description={passwordHint(value)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      descriptionProps={{ 'aria-live': 'polite' }}
      autoComplete="new-password"
      minLength={SHORTEST_PASSWORD}
      maxLength={LONGEST_PASSWORD}
      required
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    />
  );
}
