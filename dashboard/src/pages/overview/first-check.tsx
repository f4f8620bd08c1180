import { Anchor, Code, Stack, Text } from '@mantine/core';
import { IconChartHistogram } from '@tabler/icons-react';
import { formatCount } from '../../format/numbers.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** As the first start prints it, with a key to be put in. */
const curlLine = () =>
  [
    `curl --cacert data/tls/ca.pem ${location.origin}/v1/`,
    "-H 'Authorization: Bearer pst_live_…'",
    "-H 'Content-Type: application/json'",
    `-d '{"email":"jane.doe@example.com"}'`,
  ].join(' \\\n  ');

/** Stands where nothing was checked, and says how to begin. */
export function FirstCheck({ testChecks }: { readonly testChecks: number }) {
  const line = curlLine();
  return (
    <EmptyState
      icon={IconChartHistogram}
      title="No live check in this time"
      action={<CopyButton value={line} label="Copy the line" isWide />}
    >
      <Stack gap="sm" align="center">
        <Text size="sm" c="dimmed">
          {testChecks > 0
            ? `${formatCount(testChecks)} checks of test keys are on record; they are in no figure. `
            : 'Each answered check of a live key shows here a moment later. '}
          Choose a longer time above, or send one with a{' '}
          <Anchor component={AccountLink} href="/keys" underline="always">
            live key
          </Anchor>
          :
        </Text>
        <Code block ta="start" maw="100%">
          {line}
        </Code>
      </Stack>
    </EmptyState>
  );
}
