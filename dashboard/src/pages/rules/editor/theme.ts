import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor in the colours of the pages; `light-dark()` follows the scheme that Mantine sets. */
const look = EditorView.theme({
  '&': { fontSize: '0.8125rem', backgroundColor: 'var(--surface)', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'light-dark(rgb(0 0 0 / 4%), rgb(255 255 255 / 4%))',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#d0d7ff, #34406e)',
  },
  '.rule-hover': { padding: '6px 10px', fontSize: '0.75rem' },
  '.rule-hover small': { display: 'block', color: 'var(--mantine-color-dimmed)' },
  '.rule-hover p': { margin: '4px 0 0' },
  '.cm-tooltip': {
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-text)',
    boxShadow: 'var(--mantine-shadow-md)',
    maxWidth: 'min(28rem, 90vw)',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 6px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-completionDetail': { opacity: '1', color: 'inherit' },
  '.cm-completionInfo': { padding: '6px 8px', fontSize: '0.75rem' },
  // CodeMirror draws these as images in the style sheet, which the content security policy does not let in.
  '.cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-active': { backgroundImage: 'none' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy light-dark(#c92a2a, #ff9a9a) 1px' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy light-dark(#b45309, #f0a04b) 1px' },
  '.cm-lintRange-active': { backgroundColor: 'light-dark(#ffe3e3, #5c1f1f)' },
  '.cm-lint-marker': { width: '0.6em', height: '0.6em', margin: '0.45em 0.2em', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: 'normal', backgroundColor: 'light-dark(#c92a2a, #ff9a9a)' },
  '.cm-lint-marker-warning': {
    content: 'normal',
    borderRadius: '0',
    transform: 'rotate(45deg)',
    backgroundColor: 'light-dark(#b45309, #f0a04b)',
  },
  '.cm-diagnostic': { borderLeftWidth: '3px', fontSize: '0.75rem' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--mantine-color-text)' },
  '.cm-panels input, .cm-panels button': { font: 'inherit', color: 'inherit', background: 'none' },
});

/** Measured at 4.5:1 on the surface, in light and in dark. */
const words = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'light-dark(#3b5bdb, #91a7ff)' },
  { tag: [tags.string, tags.content], color: 'light-dark(#212529, #dfe3e8)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'light-dark(#a8327d, #e58ac4)' },
  { tag: tags.comment, color: 'light-dark(#59636e, #a0a9b4)', fontStyle: 'italic' },
  {
    tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace],
    color: 'light-dark(#59636e, #a0a9b4)',
  },
  { tag: tags.meta, color: 'light-dark(#b45309, #f0a04b)' },
]);

export const theme = [look, syntaxHighlighting(words)];

/** The content of a tooltip as elements with plain text: a description is never read as HTML. */
export function tooltipDom(parts: readonly (readonly [tag: string, text: string])[]): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'rule-hover';
  for (const [tag, text] of parts)
    dom.appendChild(Object.assign(document.createElement(tag), { textContent: text }));
  return dom;
}
