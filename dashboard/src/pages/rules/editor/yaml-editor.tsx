import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, forceParsing, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import {
  type Command,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { styleNonce } from '../../../style-nonce.ts';
import type { RuleFiles } from '../language/names.ts';
import type { RuleLanguage } from '../language/suggestions.ts';
import type { Problem } from '../queries.ts';
import { assistance, type Surroundings } from './assistance.ts';
import { conflictChoices } from './conflict-choices.ts';
import { hangingIndent } from './hanging-indent.ts';
import { diagnosticsOf, rangeOf } from './marks.ts';
import { theme } from './theme.ts';
import classes from './yaml-editor.module.css';

interface Props {
  readonly file: string;
  readonly files: RuleFiles;
  readonly language: RuleLanguage;
  /** The problems of this file. */
  readonly problems: readonly Problem[];
  /** A place to go to; a new object for each request, so that the same place can be asked for twice. */
  readonly goTo: Pick<Problem, 'line' | 'column' | 'end_column'> | null;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

/** An editor of one rule file: completion, marks of lint, explanations of words. Another file needs a new one. Default export: loaded on demand. */
export default function YamlEditor({ file, files, language, problems, goTo, onChange, onSave }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // The extensions are made once, and read the props of the last render from here.
  const latest = useRef({ file, files, language, onChange, onSave });
  latest.current = { file, files, language, onChange, onSave };
  const text = files[file] ?? '';

  useEffect(() => {
    if (place.current === null) return undefined;
    const { file: path, files: texts } = latest.current;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: texts[path] ?? '',
        extensions: extensions(path, () => latest.current, {
          // Synchronously: a render after the next key was typed would put back the text without that key.
          onChange: (changed) => flushSync(() => latest.current.onChange(changed)),
          onSave: () => latest.current.onSave(),
        }),
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  // Takes over changes from outside: a dragged threshold, an opened draft. The editor's own changes are in its text already.
  useEffect(() => {
    const made = view.current;
    if (made === null || made.state.doc.toString() === text) return;
    made.dispatch({ changes: changeOf(made.state.doc.toString(), text), annotations: fromOutside.of(true) });
  }, [text]);

  useEffect(() => {
    const made = view.current;
    if (made !== null) made.dispatch(setDiagnostics(made.state, diagnosticsOf(made.state.doc, problems)));
  }, [problems]);

  useEffect(() => {
    const made = view.current;
    if (made === null || goTo === null) return;
    const { from, to } = rangeOf(made.state.doc, goTo);
    made.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    made.focus();
  }, [goTo]);

  return <div ref={place} className={classes.editor} />;
}

/** Marks a change that the page has made: it is not reported back to the page. */
const fromOutside = Annotation.define<boolean>();

interface Told {
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

function extensions(file: string, surroundings: () => Surroundings, told: Told): Extension {
  return [
    EditorView.cspNonce.of(styleNonce),
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    yaml(),
    assistance(surroundings),
    theme,
    // In the body: what stands beside the editor is painted later, and would cover the tooltips.
    tooltips({ parent: document.body }),
    EditorView.lineWrapping,
    hangingIndent,
    conflictChoices,
    EditorView.contentAttributes.of({ 'aria-label': `Text of ${file}`, tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (docChanged && !transactions.some((change) => change.annotation(fromOutside)))
        told.onChange(state.doc.toString());
    }),
    // Tab leaves the editor, as it leaves every other field, so that the keyboard is not trapped (WCAG 2.2, 2.1.2).
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: saveBy(told) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      { key: 'Enter', run: parseToCursor, shift: parseToCursor },
      { key: 'Mod-Enter', run: parseToCursor },
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
    ]),
  ];
}

function saveBy({ onSave }: Told): Command {
  return () => {
    onSave();
    return true;
  };
}

/** Parses up to the cursor, for 1 s at most. By default each key gets 20 ms: on a busy machine Enter would then indent a line as the one before it. */
function parseToCursor(view: EditorView): false {
  forceParsing(view, view.state.selection.main.to, 1000);
  return false;
}

/** The smallest change that makes `after` of `before`, so that the cursor and the marks around it stay where they are. */
function changeOf(before: string, after: string) {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let same = 0;
  const most = Math.min(before.length, after.length) - from;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
