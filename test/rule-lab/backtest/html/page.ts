import { type ParserError, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';

type Node = Tree.Node;
export type Element = Tree.Element;

/** A page as a browser would read it, with what the parser had to complain about. */
export interface Page {
  readonly elements: readonly Element[];
  readonly faults: readonly string[];
}

export function read(text: string): Page {
  const faults: ParserError[] = [];
  const document = parse(text, { onParseError: (fault) => faults.push(fault) });
  return {
    elements: elementsIn(document),
    faults: faults.map(({ code, startLine, startCol }) => `${startLine}:${startCol} ${code}`),
  };
}

/** In the order of the document, the node itself left out. */
export function elementsIn(node: Node): readonly Element[] {
  const children: readonly Node[] = 'childNodes' in node ? node.childNodes : [];
  return children.flatMap((child) =>
    'tagName' in child ? [child, ...elementsIn(child)] : elementsIn(child),
  );
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

export function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** These stand on lines of their own. */
const BLOCKS = new Set([
  'div',
  'dt',
  'dd',
  'small',
  'h1',
  'h2',
  'h3',
  'p',
  'li',
  'th',
  'td',
  'summary',
  'figcaption',
]);

/** As it reads: parts on lines of their own are apart, and every run of blanks is one. */
export function plain(node: Node): string {
  return spaced(node).replace(/\s+/g, ' ').trim();
}

function spaced(node: Node): string {
  if ('value' in node) return node.value;
  const inner = 'childNodes' in node ? node.childNodes.map(spaced).join('') : '';
  return 'tagName' in node && BLOCKS.has(node.tagName) ? ` ${inner} ` : inner;
}

export function all(page: Page, tag: string, className?: string): readonly Element[] {
  return page.elements.filter(
    (element) =>
      element.tagName === tag &&
      (className === undefined || (attribute(element, 'class') ?? '').split(' ').includes(className)),
  );
}

/** The section under the heading with this id. */
export function section(page: Page, id: string): Element {
  const found = page.elements.find((element) => attribute(element, 'aria-labelledby') === id);
  if (!found) throw new Error(`there is no section ${id}`);
  return found;
}

/** Rows of a table as the texts of their cells. */
export function rowsOf(table: Node): readonly (readonly string[])[] {
  return elementsIn(table)
    .filter(({ tagName }) => tagName === 'tr')
    .map((row) =>
      elementsIn(row)
        .filter(({ tagName }) => tagName === 'td' || tagName === 'th')
        .map(plain),
    );
}
