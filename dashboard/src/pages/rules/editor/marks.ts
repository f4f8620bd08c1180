import type { Action, Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { Problem } from '../queries.ts';

/** The problems that lint found in one file, placed in the current text. Problems on lines that are gone are left out. */
export function diagnosticsOf(doc: Text, problems: readonly Problem[]): Diagnostic[] {
  return problems
    .filter(({ line }) => line <= doc.lines)
    .map((problem) => {
      const { severity, code, message, hint } = problem;
      const meant = hint === null ? '' : ` Did you mean "${hint}"?`;
      return {
        ...rangeOf(doc, problem),
        severity,
        source: code,
        message: `${message}.${meant}`.replace('..', '.'),
        actions: actionsOf(problem),
      };
    });
}

/** The range that is marked. Without `end_column` a problem is about more than a word: the rest of the line is marked. */
export function rangeOf(
  doc: Text,
  { line, column, end_column: end }: Pick<Problem, 'line' | 'column' | 'end_column'>,
): { readonly from: number; readonly to: number } {
  const { from, to, length } = doc.line(Math.min(line, doc.lines));
  const begin = from + Math.min(column - 1, length);
  return { from: begin, to: end === null ? to : Math.max(begin, Math.min(from + end - 1, to)) };
}

function actionsOf({ fix }: Problem): Action[] {
  if (fix === null) return [];
  const { line, column, end_column, replacement } = fix;
  return [
    {
      name: `Write ${replacement === '' ? 'nothing' : replacement}`,
      apply: (view) => {
        const { from, to } = rangeOf(view.state.doc, { line, column, end_column });
        view.dispatch({ changes: { from, to, insert: replacement } });
      },
    },
  ];
}
