import { printable } from '../../../cli/render/printable.ts';

/** Text that is HTML already. Only `html` and `raw` make it, so that nothing else gets into a page unescaped. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template takes: text and numbers are escaped, lists joined, null and false leave nothing. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/**
 * A template of HTML or SVG whose values are escaped, for text and for attributes in quotes. What could steer the reader's
 * eye (direction marks, control characters, what has no width) is made visible, since ids and domains are anybody's.
 */
export function html(texts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = texts[0] ?? '';
  for (const [place, value] of values.entries()) text += render(value) + texts[place + 1];
  return new Markup(text);
}

/** Takes text of our own as it is: the style sheet. Never what comes from a report. */
export function raw(text: string): Markup {
  return new Markup(text);
}

/** Without the blanks at the beginnings of lines: templates are indented for their reader, pages are sent on. */
export function compact(markup: Markup): string {
  return `${String(markup).replace(/\n\s*/g, '\n').trim()}\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return String(value);
  if (typeof value === 'object') return value.map(render).join('');
  return printable(String(value)).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
