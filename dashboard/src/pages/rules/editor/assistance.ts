import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import { cursorAt } from '../language/cursor.ts';
import { explainWord } from '../language/explain-word.ts';
import type { RuleFiles } from '../language/names.ts';
import { type RuleLanguage, type Suggestion, suggestionsAt } from '../language/suggestions.ts';
import { tooltipDom } from './theme.ts';

/** What the editor knows beside its own text; read anew each time. */
export interface Surroundings {
  readonly file: string;
  /** All files; the text of the edited one may be older than the editor's. */
  readonly files: RuleFiles;
  readonly language: RuleLanguage;
}

const TYPES = {
  key: 'property',
  value: 'constant',
  fact: 'variable',
  threshold: 'constant',
  condition: 'constant',
  list: 'constant',
  rule: 'function',
  whole: 'class',
} as const;

/** Completion from the schemas and the names of the files, and what a word means under the pointer. */
export function assistance(surroundings: () => Surroundings): Extension {
  return [
    autocompletion({ override: [(context) => complete(context, surroundings())], icons: false }),
    hoverTooltip((view, position) => explain(view, position, surroundings())),
  ];
}

function complete(
  { state, pos, explicit }: CompletionContext,
  { file, files, language }: Surroundings,
): CompletionResult | null {
  const text = state.doc.toString();
  const cursor = cursorAt(text, pos);
  if (cursor === null || (cursor.typed === '' && !explicit && !follows(text, pos))) return null;
  const options = suggestionsAt(cursor, file, { ...files, [file]: text }, language).map(completionOf);
  if (options.length === 0) return null;
  return { from: cursor.from, options, validFor: /^[\w.-]*$/ };
}

/** The template as a snippet. Further lines are indented below the first, which follows a dash. */
function snippetOf(template: string): string {
  return template.replaceAll('\n', '\n  ').replaceAll(/<([^>]*)>/g, (_, gap) => `\${${gap}}`);
}

/** `boost` sets the order: whole rules first, then required keys. */
function completionOf(one: Suggestion): Completion {
  const { text, kind, description, template, isRequired = false } = one;
  return {
    label: text,
    type: TYPES[kind],
    apply: template === undefined ? (kind === 'key' ? `${text} ` : text) : snippet(snippetOf(template)),
    boost: kind === 'whole' ? 2 : isRequired ? 1 : 0,
    ...(isRequired && { detail: 'required' }),
    ...(description !== '' && { info: () => tooltipDom([['p', description]]) }),
  };
}

/** Right after a colon, a comma, a bracket or a dash suggestions are shown before anything is typed. */
function follows(text: string, position: number): boolean {
  return /[:[{,-] $/.test(text.slice(Math.max(0, position - 2), position));
}

function explain(
  view: EditorView,
  position: number,
  { file, files, language }: Surroundings,
): Tooltip | null {
  const text = view.state.doc.toString();
  const from = position - (/[\w.]*$/.exec(text.slice(0, position))?.[0].length ?? 0);
  const to = position + (/^[\w.]*/.exec(text.slice(position))?.[0].length ?? 0);
  if (from === to) return null;
  const all = { ...files, [file]: text };
  const found = explainWord(text.slice(from, to), cursorAt(text, position), file, all, language);
  if (found === null) return null;
  const { title, note, text: words } = found;
  return {
    pos: from,
    end: to,
    above: true,
    create: () => ({
      dom: tooltipDom([
        ['strong', title],
        ['small', note],
        ['p', words],
      ]),
    }),
  };
}
