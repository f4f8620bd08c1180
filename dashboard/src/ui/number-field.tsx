import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface Props extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'error'> {
  /** Null where there is none. */
  readonly value: number | null;
  /** What is wrong with a number; false where it can be taken. */
  readonly faultOf: (number: number) => string | false;
  readonly onChange: (value: number | null) => void;
}

/** What is typed stands until the field is left, which then shows what was taken of it: a number without a fault. */
export function NumberField({ value, faultOf, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState<string | number | null>(null);
  const isNumber = typed !== null && typed !== '' && !Number.isNaN(Number(typed));
  return (
    <NumberInput
      {...rest}
      value={typed ?? value ?? ''}
      error={isNumber && faultOf(Number(typed))}
      onChange={(next) => {
        setTyped(next);
        if (next === '') onChange(null);
        // A sign, or a point, before the digits.
        else if (!Number.isNaN(Number(next)) && faultOf(Number(next)) === false) onChange(Number(next));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
