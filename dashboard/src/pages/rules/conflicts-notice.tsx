import { Alert, Anchor, List } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { conflictsIn, conflictsOf } from './language/conflicts.ts';
import type { RuleFiles } from './language/names.ts';
import type { Place } from './source-panel.tsx';

interface Props {
  readonly files: RuleFiles;
  readonly onOpen: (file: string, place: Place) => void;
}

/** After a merge: the conflicts that a person has to resolve. */
export function ConflictsNotice({ files, onOpen }: Props) {
  const left = conflictsOf(files);
  if (left.length === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconGitMerge aria-hidden />}
      title="Both have changed the same lines: choose in the text"
    >
      <List size="sm">
        {left.map(([file, count]) => (
          <List.Item key={file}>
            <Anchor
              c="inherit"
              underline="always"
              component="button"
              type="button"
              size="sm"
              onClick={() => onOpen(file, firstIn(files[file] ?? ''))}
            >
              {file}
            </Anchor>
            : {count === 1 ? 'one place' : `${count} places`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The line of the first conflict, over which its buttons stand. */
function firstIn(text: string): Place {
  const before = text.slice(0, conflictsIn(text)[0]?.from ?? 0);
  return { line: before.split('\n').length, column: 1, end_column: null };
}
