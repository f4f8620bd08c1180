import { Box, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextLink } from '../../../ui/account-link.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import type { Answer, Body, Description, Operation } from './description.ts';
import { InlineCode } from './inline-code.tsx';
import classes from './reference.module.css';
import { exampleOf } from './schema-text.ts';
import { MemberLine, SchemaView } from './schema-view.tsx';

interface Props {
  readonly operation: Operation;
  readonly description: Description;
}

/** An operation: its request, its answers and its refusals. */
export function OperationView({ operation, description }: Props) {
  const { parameters, bodies, answers, refusals, identifiedBy } = operation;
  return (
    <Stack gap="md" className={classes.operation}>
      <Text size="sm" component="div">
        {operation.description !== '' && (
          <p>
            <InlineCode text={operation.description} />
          </p>
        )}
        {identifiedBy.length > 0 && (
          <p>Needs: {identifiedBy.map((scheme) => NEEDS[scheme] ?? scheme).join(' or ')}.</p>
        )}
      </Text>
      {parameters.length > 0 && (
        <Part title="Parameters">
          <ul className={classes.members}>
            {parameters.map(({ name, in: place, required = false, description: said, schema }) => (
              <li key={`${place} ${name}`}>
                <MemberLine
                  name={name}
                  schema={said === undefined ? schema : { ...schema, description: said }}
                  isRequired={required}
                />
                <Dimmed>in the {place}</Dimmed>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {bodies.map((body) => (
        <Part key={body.mediaType} title="Request">
          <BodyView body={body} description={description} name={`${operation.id} request`} />
        </Part>
      ))}
      {answers.map((answer) => (
        <Part key={answer.status} title={`Answer ${answer.status}`}>
          <AnswerView answer={answer} description={description} name={`${operation.id} ${answer.status}`} />
        </Part>
      ))}
      {refusals.length > 0 && (
        <Part title="Refusals">
          <Refusals refusals={refusals} />
        </Part>
      )}
    </Stack>
  );
}

const NEEDS: Readonly<Record<string, string>> = {
  api_key: 'an API key, as “Authorization: Bearer pst_live_…”',
  metrics_token: 'metrics.token, as “Authorization: Bearer …”',
  session: 'the session of a person who is signed in',
};

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Box>
      <Title order={4} fz="sm" mb={4}>
        {title}
      </Title>
      {children}
    </Box>
  );
}

interface BodyProps {
  readonly body: Body;
  readonly description: Description;
  /** Names the copy button of the example for screen readers. */
  readonly name: string;
}

function BodyView({ body: { mediaType, schema, example }, description, name }: BodyProps) {
  const isJson = mediaType.startsWith('application/json');
  const shown = example ?? (isJson && schema !== undefined ? exampleOf(schema, description) : undefined);
  return (
    <Stack gap="xs">
      <Dimmed>{mediaType}</Dimmed>
      {schema !== undefined && <SchemaView schema={schema} description={description} isWhole />}
      {shown !== undefined && (
        <Snippet
          label={example === undefined ? 'Its shape' : 'Example'}
          text={JSON.stringify(shown, null, 2)}
          copyLabel={`Copy ${name}`}
        />
      )}
    </Stack>
  );
}

interface AnswerProps {
  readonly answer: Answer;
  readonly description: Description;
  readonly name: string;
}

function AnswerView({ answer, description, name }: AnswerProps) {
  return (
    <Stack gap="xs">
      {answer.description !== '' && (
        <Text size="sm" component="div">
          <InlineCode text={answer.description} />
        </Text>
      )}
      {answer.headers.length > 0 && (
        <ul className={classes.members}>
          {answer.headers.map((header) => (
            <li key={header.name}>
              <MemberLine
                name={header.name}
                schema={{ type: 'header', description: header.description }}
                isRequired
              />
            </li>
          ))}
        </ul>
      )}
      {answer.bodies.map((body) => (
        <BodyView key={body.mediaType} body={body} description={description} name={name} />
      ))}
    </Stack>
  );
}

function Refusals({ refusals }: Pick<Operation, 'refusals'>) {
  return (
    <>
      <ul className={classes.members}>
        {refusals.map(({ status, code, message }) => (
          <li key={code}>
            <Text size="sm" component="div">
              {status} <Code>{code}</Code>
              <div>{message}</div>
            </Text>
          </li>
        ))}
      </ul>
      <TextLink href="/docs/errors">What to do about each</TextLink>
    </>
  );
}
