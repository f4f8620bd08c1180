import { Button, type ButtonProps, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import type { Range } from '../format/ranges.ts';
import { fieldsOf } from './form-fields.ts';

const DAY_MS = 86_400_000;
/** The day after, where the range ends, still has a year of four digits. */
const LAST_DAY = '9999-12-30';

interface Props {
  /** Opens the form. */
  readonly button: Pick<ButtonProps, 'variant' | 'children'>;
  /** The button was pressed before this form was loaded. */
  readonly isWanted: boolean;
  readonly onChange: (range: Range) => void;
}

/** A form for a range of days, from the first to the last. */
export default function OtherDays({ button, isWanted, onChange }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure(isWanted);
  const [first, setFirst] = useState('');
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { from, to } = fieldsOf(event.currentTarget, ['from', 'to']);
    // Whole days in UTC, as in the records.
    const end = new Date(Date.parse(to) + DAY_MS);
    onChange({ from: new Date(from).toISOString(), to: end.toISOString() });
    close();
  };
  const field = { type: 'date', max: LAST_DAY, required: true };
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button size="xs" onClick={toggle} {...button} />
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={apply}>
          <Stack gap="xs">
            <TextInput
              {...field}
              name="from"
              label="From (UTC)"
              value={first}
              onChange={(event) => setFirst(event.currentTarget.value)}
            />
            <TextInput {...field} name="to" label="To, this day too" min={first} />
            <Button type="submit" size="xs">
              Show these days
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
