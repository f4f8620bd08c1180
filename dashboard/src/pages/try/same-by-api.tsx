import { Code, Group, Stack, Text } from '@mantine/core';
import type { Decided } from '../../api/try-it.ts';
import { CodeSamples } from '../../ui/code-samples.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './try.module.css';

interface Props {
  readonly email: string;
  readonly decided: Decided | null;
}

/** What a program would send, and what it would get. */
export function SameByApi({ email, decided }: Props) {
  return (
    <Panel title="The same by the API" description="Unlike here, such a check is recorded and counts.">
      <Stack gap="sm">
        <CodeSamples email={email} />
        {decided !== null && (
          <>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                It would answer
              </Text>
              <Dimmed>{headersOf(decided)}</Dimmed>
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
