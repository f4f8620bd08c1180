import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { type Description, namedSchema, type Schema } from './description.ts';
import { InlineCode } from './inline-code.tsx';
import classes from './reference.module.css';
import { boundsText, partsOf, typeText } from './schema-text.ts';

interface Props {
  readonly schema: Schema;
  readonly description: Description;
  /** Shows a named schema at once, as for a whole body. */
  readonly isWhole?: boolean;
}

/** The members of a schema, recursively. */
export function SchemaView({ schema, description, isWhole = false }: Props) {
  const named = isWhole ? namedSchema(schema, description) : null;
  if (named !== null) return <SchemaView schema={named.schema} description={description} />;
  const parts = partsOf(schema);
  if (parts.length === 0) return <Text size="sm">{typeText(schema)}</Text>;
  return parts.map((part) => (
    <Part key={typeText(part) + JSON.stringify(part)} part={part} description={description} />
  ));
}

function Part({ part, description }: { readonly part: Schema; readonly description: Description }) {
  const named = namedSchema(part, description);
  if (named !== null) return <Named {...named} description={description} />;
  return (
    <ul className={classes.members}>
      {Object.entries(part.properties ?? {}).map(([name, member]) => (
        <li key={name}>
          <MemberLine name={name} schema={member} isRequired={part.required?.includes(name) ?? false} />
          {partsOf(member).length > 0 && <SchemaView schema={member} description={description} />}
        </li>
      ))}
    </ul>
  );
}

interface LineProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** A name, what it takes, and what it is. */
export function MemberLine({ name, schema, isRequired }: LineProps) {
  const bounds = boundsText(schema);
  return (
    <Text size="sm" component="div">
      <Code>{name}</Code>{' '}
      <Dimmed span size="sm">
        {typeText(schema)}
        {bounds !== '' && `, ${bounds}`}
        {!isRequired && ', optional'}
      </Dimmed>
      {schema.description !== undefined && (
        <div>
          <InlineCode text={schema.description} />
        </div>
      )}
    </Text>
  );
}

interface NamedProps extends Props {
  readonly name: string;
}

/** A named schema is shown on demand: it may contain itself. */
function Named({ name, schema, description }: NamedProps) {
  const [isOpen, setOpen] = useState(false);
  if (partsOf(schema).length === 0) {
    const bounds = boundsText(schema);
    return (
      <Text size="sm">
        {name}: {typeText(schema)}
        {bounds !== '' && `, ${bounds}`}
      </Text>
    );
  }
  return (
    <details className={classes.named} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Members of {name}</summary>
      {isOpen && <SchemaView schema={schema} description={description} />}
    </details>
  );
}
