import { ActionIcon, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { FactValue, TriableFact } from '../../api/try-it.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { faultOf } from './edited-facts.ts';
import classes from './try.module.css';

interface Props {
  readonly fact: TriableFact;
  readonly value: FactValue;
  /** As it was found. */
  readonly found: FactValue;
  /** Why it was not found. */
  readonly reason: string | undefined;
  readonly onChange: (value: FactValue) => void;
}

const UNKNOWN = '';

/** A fact that can be put in the place of what was found. */
export function FactField({ fact, value, found, reason, onChange }: Props) {
  const { id, type, description, disabled } = fact;
  const isEdited = value !== found;
  const shared = {
    size: 'xs',
    'aria-label': id,
    disabled,
    className: classes.input,
    'data-edited': isEdited || undefined,
    // While another value is typed.
    error: isEdited && faultOf(fact, value),
  } as const;
  return (
    <div className={classes.fact} data-edited={isEdited || undefined}>
      <Tooltip label={description} multiline maw={320} position="top-start">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard need the meaning of a fact too */}
        <span className={classes.name} tabIndex={0}>
          {id}
        </span>
      </Tooltip>
      {type === 'integer' || type === 'number' ? (
        <NumberField
          {...shared}
          value={typeof value === 'number' ? value : null}
          placeholder={unknownText(reason)}
          onChange={onChange}
        />
      ) : type === 'text' || type === 'domain' ? (
        <TextInput
          {...shared}
          value={value === null ? UNKNOWN : String(value)}
          placeholder={unknownText(reason)}
          onChange={({ currentTarget }) => onChange(readValue(type, currentTarget.value))}
        />
      ) : (
        <NativeSelect
          {...shared}
          value={value === null ? UNKNOWN : String(value)}
          data={choicesOf(fact, reason)}
          onChange={({ currentTarget }) => onChange(readValue(type, currentTarget.value))}
        />
      )}
      {isEdited && (
        <Tooltip label={`As found: ${found ?? 'unknown'}`}>
          <ActionIcon size="sm" aria-label={`Reset ${id}`} onClick={() => onChange(found)}>
            <IconArrowBackUp size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}

function choicesOf({ type, values, never_unknown, disabled }: TriableFact, reason: string | undefined) {
  const known = type === 'boolean' ? ['true', 'false'] : values;
  return [
    ...known.map((value) => ({ value, label: value })),
    ...(!never_unknown || disabled ? [{ value: UNKNOWN, label: unknownText(reason) }] : []),
  ];
}

function unknownText(reason: string | undefined): string {
  return reason === undefined ? 'unknown' : `unknown: ${reason}`;
}

function readValue(type: TriableFact['type'], text: string): FactValue {
  if (text === UNKNOWN) return null;
  return type === 'boolean' ? text === 'true' : text;
}
