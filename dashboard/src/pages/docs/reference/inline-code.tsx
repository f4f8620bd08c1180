import { Code } from '@mantine/core';

/** A text of a description: what stands between backticks is code, a blank line begins a paragraph. */
export function InlineCode({ text }: { readonly text: string }) {
  return text.split(/\n\n|`([^`]+)`/).map((part, index) => {
    const key = String(index);
    if (part === undefined) return <br key={key} />;
    return index % 2 === 1 ? <Code key={key}>{part}</Code> : <span key={key}>{part}</span>;
  });
}
