import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconFileDiff } from '@tabler/icons-react';
import type { Published } from '../../api/lists.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { TextList } from '../../ui/text-list.tsx';
import classes from './lists.module.css';

interface Props {
  readonly published: Published;
  /** Whether the list is part of the rules' hash: a named list is. */
  readonly isHashed?: boolean;
  readonly onClose: () => void;
}

/** The outcome of a change: in force, refused by the service, or a patch to be applied by hand. */
export function PublishedNotice({ published, isHashed = false, onClose }: Props) {
  const { state, version, ruleset, faults, patch, reason } = published;
  const closing = { withCloseButton: true, closeButtonLabel: 'Close', onClose } as const;
  if (state === 'in_force') {
    return (
      <Alert {...closing} role="status" color="teal" icon={<IconCircleCheck aria-hidden />} title="In force">
        {version === null
          ? 'The next check is decided with it'
          : `The next check is decided with version ${version}`}
        {', Postern-Ruleset '}
        <Code>{ruleset}</Code>
        {isHashed ? '.' : '. A list is no part of that hash: it changes facts, not rules.'}
      </Alert>
    );
  }
  if (state === 'patch') {
    return (
      <Alert
        {...closing}
        role="alert"
        color="yellow"
        icon={<IconFileDiff aria-hidden />}
        title="Postern may not write here"
      >
        <Stack gap="xs">
          <Text size="sm">
            {`${reason ?? ''}. Apply this in the rules directory with "patch -p1"; the service loads it within seconds.`}
          </Text>
          <Code block className={classes.patch} tabIndex={0} role="region" aria-label="The patch">
            {patch}
          </Code>
          <div>
            <CopyButton value={patch ?? ''} label="Copy the patch" isWide />
          </div>
        </Stack>
      </Alert>
    );
  }
  return (
    <Alert {...closing} role="alert" color="red" title="Written, and not taken">
      <Text size="sm">The file is changed, and the service goes on with what it had:</Text>
      <TextList items={faults} />
    </Alert>
  );
}
