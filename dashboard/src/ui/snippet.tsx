import { Code, Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';
import classes from './snippet.module.css';

interface Props {
  /** What the text is: "The key". */
  readonly label: string;
  readonly text: string;
  readonly copyLabel: string;
}

/** A text to copy: wrapped, so that it is whole at every width, with a button that copies it. */
export function Snippet({ label, text, copyLabel }: Props) {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={text} label={copyLabel} isWide />
      </Group>
      <Code block className={classes.snippet}>
        {text}
      </Code>
    </div>
  );
}
