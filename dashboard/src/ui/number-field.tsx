import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface Props extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> {
  /** Null where there is none. */
  readonly value: number | null;
  /** Called for a faulty number too: it is the next `value`, and must not be sent. */
  readonly onChange: (value: number | null) => void;
}

/** Keeps a number as it is typed, also a faulty one. A text that is no number, such as a sign, stays until the field is left. */
export function NumberField({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState<string | number | null>(null);
  return (
    <NumberInput
      {...rest}
      value={typed ?? value ?? ''}
      clampBehavior="none"
      onChange={(next) => {
        setTyped(next);
        if (next === '') onChange(null);
        // A lone sign or point before the digits is no number yet.
        else if (!Number.isNaN(Number(next))) onChange(Number(next));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
