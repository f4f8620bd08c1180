import { Anchor, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, refusalOf, UNREACHABLE } from '../../../api/api-error.ts';
import { TextLink } from '../../../ui/account-link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { type Description, type Operation, operationsOf } from './description.ts';
import { InlineCode } from './inline-code.tsx';
import { OperationView } from './operation-view.tsx';
import classes from './reference.module.css';

/** The URLs under which the service answers the descriptions of `docs/`. */
const SOURCES = {
  '/docs/openapi': { title: 'API reference', file: '/openapi.json', other: '/docs/dashboard-openapi' },
  '/docs/dashboard-openapi': {
    title: 'API reference of the dashboard',
    file: '/dashboard/api/openapi.json',
    other: '/docs/openapi',
  },
} as const;

type SourcePath = keyof typeof SOURCES;

/** Every operation, drawn from the description that the service answers. */
export default function ReferencePage() {
  const [path] = useLocation();
  const { title, file, other } = SOURCES[path as SourcePath] ?? SOURCES['/docs/openapi'];
  const query = useQuery({
    queryKey: ['description', file],
    queryFn: () => readDescription(file),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const info = query.data?.info;
  return (
    <Page
      title={title}
      description={info && <InlineCode text={[info.summary, info.description].filter(Boolean).join(' ')} />}
      actions={
        <Group gap="md">
          <Anchor href={file} target="_blank" size="sm">
            openapi.json
          </Anchor>
          <TextLink href={other}>{SOURCES[other].title}</TextLink>
          <TextLink href="/docs/api">Guide</TextLink>
        </Group>
      }
    >
      <Loaded
        query={query}
        deed="The description could not be loaded"
        label="Loading the description"
        height={320}
      >
        {(description) => <Operations key={file} description={description} />}
      </Loaded>
    </Page>
  );
}

async function readDescription(file: string): Promise<Description> {
  const answer = await fetch(file).catch(() => {
    throw new ApiError(UNREACHABLE);
  });
  if (!answer.ok) throw refusalOf(answer, await answer.json().catch(() => null));
  return answer.json();
}

function Operations({ description }: { readonly description: Description }) {
  const [sought, setSought] = useState('');
  const all = operationsOf(description);
  const words = sought.toLowerCase().split(/\s+/);
  const shown = all.filter(({ method, path, id, summary }) => {
    const text = `${method} ${path} ${id} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      {all.length > 10 && (
        <TextInput
          label="Find an operation"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          maw="24rem"
        />
      )}
      {description.tags.map(({ name, description: said }) => {
        const operations = shown.filter(({ tag }) => tag === name);
        if (operations.length === 0) return null;
        return (
          <Panel key={name} title={name} description={said}>
            {operations.map((operation) => (
              <OperationItem
                key={operation.id}
                operation={operation}
                description={description}
                isOnly={all.length === 1}
              />
            ))}
          </Panel>
        );
      })}
      {shown.length === 0 && <Text>No operation has these words.</Text>}
    </>
  );
}

interface ItemProps {
  readonly operation: Operation;
  readonly description: Description;
  readonly isOnly: boolean;
}

/** Opened by a click on its line, or by a URL whose hash names it. */
function OperationItem({ operation, description, isOnly }: ItemProps) {
  const { id, method, path, summary } = operation;
  const isNamed = location.hash === `#${id}`;
  const [isOpen, setOpen] = useState(isNamed || isOnly);
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNamed) item.current?.scrollIntoView();
  }, [isNamed]);
  return (
    <div ref={item} id={id} className={classes.item}>
      <details
        open={isOpen}
        onToggle={(event) => {
          setOpen(event.currentTarget.open);
          if (event.currentTarget.open && !isNamed) history.replaceState(history.state, '', `#${id}`);
        }}
      >
        <summary>
          <h3 className={classes.head}>
            <span className={classes.method}>{method}</span>
            <span className={classes.path}>{path}</span>
            <Text span size="sm">
              {summary}
            </Text>
          </h3>
        </summary>
        {isOpen && <OperationView operation={operation} description={description} />}
      </details>
    </div>
  );
}
