import { Anchor, Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { AccountLink, TextLink } from '../../ui/account-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import type { DocumentNode } from './document.ts';
import { DocumentList } from './document-list.tsx';
import classes from './document-page.module.css';
import { DocumentText } from './document-text.tsx';
import { ENTRIES } from './documents.ts';
import { useDocument } from './use-document.ts';

/** One document with the parts that it has, or the list of all. */
export default function DocumentPage() {
  const { folder, name } = useParams<{ folder?: string; name?: string }>();
  if (name === undefined) return <DocumentList />;
  const id = folder === undefined ? name : `${folder}/${name}`;
  const entry = ENTRIES.find((known) => known.id === id);
  if (entry === undefined) return <NoSuchDocument id={id} />;
  return (
    <Page title={entry.title} description={<TextLink href="/docs">All documents</TextLink>}>
      <div className={classes.columns}>
        <Contents id={id} />
        <DocumentText id={id} />
      </div>
    </Page>
  );
}

function NoSuchDocument({ id }: { readonly id: string }) {
  return (
    <Page title="Nothing here">
      <EmptyState
        icon={IconMapOff}
        title="No document has this name"
        action={
          <Button component={AccountLink} href="/docs">
            All documents
          </Button>
        }
      >
        “{id}” may be mistyped, or of another version of Postern.
      </EmptyState>
    </Page>
  );
}

/** Links to the parts of a document; nothing where there are fewer than two. */
function Contents({ id }: { readonly id: string }) {
  const { data } = useDocument(id);
  const parts = data?.body.filter(isPart) ?? [];
  if (parts.length < 2) return null;
  return (
    <nav className={classes.contents} aria-label="Parts of this document">
      {parts.map(({ id: part, children }) => (
        <Anchor key={part} href={`#${part}`} size="sm">
          {children.map(wordsOf).join('')}
        </Anchor>
      ))}
    </nav>
  );
}

type Heading = Extract<DocumentNode, { kind: 'heading' }>;

const isPart = (node: DocumentNode): node is Heading =>
  typeof node === 'object' && node.kind === 'heading' && node.level === 2;

function wordsOf(node: DocumentNode): string {
  if (typeof node === 'string') return node;
  if ('text' in node) return node.text;
  return 'children' in node ? node.children.map(wordsOf).join('') : '';
}
