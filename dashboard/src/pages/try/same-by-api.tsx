import { Code, Group, Stack, Text } from '@mantine/core';
import type { Decided } from '../../api/try-it.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { curlFor } from './curl-for.ts';
import classes from './try.module.css';

interface Props {
  readonly email: string;
  readonly decided: Decided | null;
}

/** What a program would send, and what it would get. */
export function SameByApi({ email, decided }: Props) {
  const line = curlFor(location.origin, email);
  return (
    <Panel
      title="The same by the API"
      description="With a key of yours in the variable POSTERN_KEY. Unlike here, such a check is recorded and counts."
      actions={<CopyButton value={line} label="Copy the command" isWide />}
    >
      <Stack gap="sm">
        <Code block className={classes.code} tabIndex={0} role="region" aria-label="The command">
          {line}
        </Code>
        {decided !== null && (
          <>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                It would answer
              </Text>
              <Text size="xs" c="dimmed">
                {headersOf(decided)}
              </Text>
            </Group>
            <Code block className={classes.code} tabIndex={0} role="region" aria-label="The answer">
              {JSON.stringify(decided.response, null, 2)}
            </Code>
          </>
        )}
      </Stack>
    </Panel>
  );
}

function headersOf({ decision, degraded }: Decided): string {
  const ruleset = `Postern-Ruleset: ${decision.ruleset}`;
  return degraded.length === 0 ? ruleset : `${ruleset}, Postern-Degraded: ${degraded.join(', ')}`;
}
