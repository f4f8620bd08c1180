import { Code, List, type ListProps } from '@mantine/core';

interface Props extends ListProps {
  /** Different from each other. */
  readonly items: readonly string[];
  readonly isCode?: boolean;
}

/** Sentences, or lines of a log, one below the other. Nothing where there is none. */
export function TextList({ items, isCode = false, ...rest }: Props) {
  if (items.length === 0) return null;
  return (
    <List size="sm" {...rest}>
      {items.map((item) => (
        <List.Item key={item} style={{ overflowWrap: 'anywhere' }}>
          {isCode ? <Code>{item}</Code> : item}
        </List.Item>
      ))}
    </List>
  );
}
