import { Alert, Anchor, List } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { conflictsOf } from './language/conflicts.ts';
import type { RuleFiles } from './language/names.ts';

interface Props {
  readonly files: RuleFiles;
  readonly onOpen: (file: string) => void;
}

/** After a merge: what is left for a person to choose. */
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
            <Anchor component="button" type="button" size="sm" onClick={() => onOpen(file)}>
              {file}
            </Anchor>
            : {count === 1 ? 'one place' : `${count} places`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
