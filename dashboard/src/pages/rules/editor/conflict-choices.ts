import { type EditorState, type Extension, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { type Conflict, conflictsIn } from '../language/conflicts.ts';

/** Shows merge conflicts: both texts, each in its colour, and above them the buttons that choose. */
export const conflictChoices: Extension = [
  StateField.define<DecorationSet>({
    create: decorate,
    update: (before, { docChanged, state }) => (docChanged ? decorate(state) : before),
    provide: (field) => EditorView.decorations.from(field),
  }),
  EditorView.theme({
    '.cm-conflict-choices': {
      display: 'flex',
      flexWrap: 'wrap',
      gap: '0.5em',
      alignItems: 'center',
      padding: '4px 6px',
      fontFamily: 'var(--mantine-font-family)',
      borderTop: '1px solid var(--mantine-color-default-border)',
    },
    '.cm-conflict-choices button': {
      padding: '2px 8px',
      border: '1px solid var(--mantine-color-default-border)',
      borderRadius: 'var(--mantine-radius-sm)',
      background: 'var(--surface)',
      color: 'var(--mantine-color-text)',
      font: 'inherit',
      cursor: 'pointer',
    },
    '.cm-conflict-choices button:focus-visible': { outline: '2px solid var(--mantine-primary-color-filled)' },
    '.cm-conflict-yours': { backgroundColor: 'light-dark(#e6f6f4, #12332f)' },
    '.cm-conflict-theirs': { backgroundColor: 'light-dark(#e9edff, #262f52)' },
  }),
];

function decorate({ doc }: EditorState): DecorationSet {
  const marks = conflictsIn(doc.toString()).flatMap((conflict) => {
    const widget = Decoration.widget({ widget: new Choices(conflict), block: true, side: -1 });
    const first = doc.lineAt(conflict.from).number;
    const middle = first + 1 + linesIn(conflict.yours);
    const last = middle + 1 + linesIn(conflict.theirs);
    const lines = Array.from({ length: last - first + 1 }, (_, place) => first + place);
    return [
      widget.range(conflict.from),
      ...lines.map((line) => (line < middle ? YOURS : THEIRS).range(doc.line(line).from)),
    ];
  });
  return Decoration.set(marks, true);
}

const YOURS = Decoration.line({ class: 'cm-conflict-yours' });
const THEIRS = Decoration.line({ class: 'cm-conflict-theirs' });
const linesIn = (text: string) => text.split('\n').length - 1;

class Choices extends WidgetType {
  readonly conflict: Conflict;

  constructor(conflict: Conflict) {
    super();
    this.conflict = conflict;
  }

  override eq({ conflict: { from, to } }: Choices): boolean {
    return from === this.conflict.from && to === this.conflict.to;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { from, to, yours, theirs } = this.conflict;
    const dom = Object.assign(document.createElement('div'), { className: 'cm-conflict-choices' });
    dom.setAttribute('role', 'group');
    dom.setAttribute('aria-label', 'Lines that both have changed');
    dom.append('Both have changed these lines:');
    for (const [label, insert] of [
      ['Keep yours', yours],
      ['Take theirs', theirs],
      ['Keep both', yours + theirs],
    ] as const) {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
      button.addEventListener('click', () => {
        view.dispatch({ changes: { from, to, insert }, selection: { anchor: from } });
        view.focus();
      });
      dom.append(button);
    }
    return dom;
  }
}
