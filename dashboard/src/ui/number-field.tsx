import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface Props extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'error'> {
  /** Null where there is none. */
  readonly value: number | null;
  /** What is wrong with a number; false where it can be taken. */
  readonly faultOf: (number: number) => string | false;
  /** Of a number with a fault too: it is the next `value`, and not to be sent. */
  readonly onChange: (value: number | null) => void;
}

/** A number stands as it is typed, also where it cannot be taken; what is none, such as a sign, until the field is left. */
export function NumberField({ value, faultOf, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState<string | number | null>(null);
  return (
    <NumberInput
      {...rest}
      value={typed ?? value ?? ''}
      error={value !== null && faultOf(value)}
      clampBehavior="none"
      onChange={(next) => {
        setTyped(next);
        if (next === '') onChange(null);
        // A sign, or a point, before the digits.
        else if (!Number.isNaN(Number(next))) onChange(Number(next));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
