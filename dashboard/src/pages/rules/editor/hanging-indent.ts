import { type EditorState, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** The deepest indentation, in characters: rules are not indented deeper. */
const MOST = 24;
const decorations = Array.from({ length: MOST + 1 }, (_, width) =>
  Decoration.line({ class: `cm-hanging-${width}` }),
);

/**
 * Indents the wrapped parts of a long line two characters deeper than the line: in YAML the indentation is the meaning. By classes,
 * since the content security policy lets no style attribute in.
 */
export const hangingIndent = [
  ViewPlugin.define(
    (view) => ({
      decorations: decorate(view),
      update(this: { decorations: DecorationSet }, { docChanged, viewportChanged, view: now }: ViewUpdate) {
        if (docChanged || viewportChanged) this.decorations = decorate(now);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.theme(
    Object.fromEntries(
      decorations.map((_, width) => [
        `.cm-line.cm-hanging-${width}`,
        { paddingInlineStart: `calc(${width + 2}ch + 6px)`, textIndent: `-${width + 2}ch` },
      ]),
    ),
  ),
];

function decorate({
  state,
  visibleRanges,
}: {
  state: EditorState;
  visibleRanges: readonly { from: number; to: number }[];
}) {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let position = from; position <= to; ) {
      const line = state.doc.lineAt(position);
      const width = Math.min(/^ *(?:- )*/.exec(line.text)?.[0].length ?? 0, MOST);
      const decoration = decorations[width];
      if (decoration) builder.add(line.from, line.from, decoration);
      position = line.to + 1;
    }
  }
  return builder.finish();
}
