import { Anchor, Code } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { AccountLink } from '../../ui/account-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { DocumentNode } from './document.ts';
import classes from './prose.module.css';

type Of<Kind> = Extract<DocumentNode, { kind: Kind }>;

/** The text of a document. Its parts become elements one by one: no markup is taken from it. */
export function Prose({ nodes }: { readonly nodes: readonly DocumentNode[] }) {
  return (
    <div className={classes.prose}>
      <Nodes nodes={nodes} />
    </div>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly DocumentNode[] }): ReactNode {
  // The index may be the key: the nodes of a document never change their order.
  return nodes.map((node, index) => <Fragment key={String(index)}>{elementOf(node)}</Fragment>);
}

function elementOf(node: DocumentNode): ReactNode {
  if (typeof node === 'string') return node;
  switch (node.kind) {
    case 'heading':
      return <Heading heading={node} />;
    case 'paragraph':
      return (
        <p>
          <Nodes nodes={node.children} />
        </p>
      );
    case 'item':
      return (
        <li>
          <Nodes nodes={node.children} />
        </li>
      );
    case 'quote':
      return (
        <blockquote>
          <Nodes nodes={node.children} />
        </blockquote>
      );
    case 'strong':
      return (
        <strong>
          <Nodes nodes={node.children} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Nodes nodes={node.children} />
        </em>
      );
    case 'code':
      return <Code>{node.text}</Code>;
    case 'block':
      return <Block block={node} />;
    case 'list':
      return node.start === null ? (
        <ul>
          <Nodes nodes={node.children} />
        </ul>
      ) : (
        <ol start={node.start}>
          <Nodes nodes={node.children} />
        </ol>
      );
    case 'link':
      return <DocumentLink link={node} />;
    case 'file':
      return <FileName file={node} />;
    case 'table':
      return <DocumentTable table={node} />;
    case 'line':
      return <hr />;
  }
}

function Heading({ heading: { level, id, children } }: { readonly heading: Of<'heading'> }) {
  const Rank = `h${level}` as 'h2';
  return (
    <Rank id={id}>
      <Nodes nodes={children} />
      <a className={classes.mark} href={`#${id}`} aria-label="Link to this part">
        #
      </a>
    </Rank>
  );
}

function DocumentLink({ link: { href, children } }: { readonly link: Of<'link'> }) {
  const words = <Nodes nodes={children} />;
  if (href.startsWith('/'))
    return (
      <Anchor component={AccountLink} href={href} inherit underline="always">
        {words}
      </Anchor>
    );
  const elsewhere = href.startsWith('#') ? {} : { target: '_blank', rel: 'noreferrer' };
  return (
    <Anchor href={href} inherit underline="always" {...elsewhere}>
      {words}
    </Anchor>
  );
}

/** The path of the file, after the link's words where these are not the end of the path. */
function FileName({ file: { path, children } }: { readonly file: Of<'file'> }) {
  const [only] = children;
  const isSaid =
    children.length === 1 && typeof only === 'object' && 'text' in only && path.endsWith(only.text);
  return (
    <>
      {isSaid ? null : (
        <>
          <Nodes nodes={children} /> (
        </>
      )}
      <Code>{path}</Code>
      {isSaid ? null : ')'}
    </>
  );
}

function Block({ block: { text } }: { readonly block: Of<'block'> }) {
  return (
    <div className={classes.block}>
      {/* Wide lines are scrolled by the arrow keys. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to take the focus */}
      <pre tabIndex={0}>{text}</pre>
      <div className={classes.copy}>
        <CopyButton value={text} label="Copy" />
      </div>
    </div>
  );
}

function DocumentTable({ table: { head, rows } }: { readonly table: Of<'table'> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to take the focus
    <section className={classes.wide} tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={String(index)} scope="col">
                <Nodes nodes={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={String(row)}>
              {cells.map((cell, index) => (
                <td key={String(index)}>
                  <Nodes nodes={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
