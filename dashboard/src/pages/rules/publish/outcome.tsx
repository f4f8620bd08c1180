import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconFileDiff } from '@tabler/icons-react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextList } from '../../../ui/text-list.tsx';
import classes from '../history/patch-view.module.css';
import type { Published } from '../queries.ts';

interface Props {
  readonly published: Published;
  readonly directory: string;
}

/** The outcome of publishing: in force, a patch, or not taken by the service. */
export function Outcome({ published, directory }: Props) {
  const { state, ruleset, version, faults, patch, reason } = published;
  if (state === 'in_force') {
    return (
      <Alert color="teal" icon={<IconCircleCheck aria-hidden />} title="In force">
        <Text size="sm">
          Every check from now on is decided by <Code>{ruleset}</Code>
          {version !== null && `, version ${version}`}: the header Postern-Ruleset says so. The history leads
          back.
        </Text>
      </Alert>
    );
  }
  if (state === 'patch') {
    return (
      <Alert color="yellow" icon={<IconFileDiff aria-hidden />} title="Postern may not write there">
        <Stack gap="xs">
          <Text size="sm">
            {reason}. Apply this where you may write, with <Code>patch -p1 -d {directory}</Code>; the service
            takes it then.
          </Text>
          <CopyButton value={patch ?? ''} label="Copy the patch" isWide />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
          <pre className={classes.patch} tabIndex={0}>
            {patch}
          </pre>
        </Stack>
      </Alert>
    );
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="The service has not taken it">
      <Text size="sm">
        It is published in {directory}, and the rules that were in force decide on. Mend it there, or roll
        back in the history:
      </Text>
      <TextList items={faults} isCode mt="xs" />
    </Alert>
  );
}
