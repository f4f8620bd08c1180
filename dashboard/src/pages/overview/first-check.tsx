import { Anchor, Box } from '@mantine/core';
import { IconChartHistogram } from '@tabler/icons-react';
import { useAccount } from '../../account-in-view.ts';
import { useLimits } from '../../api/keys.ts';
import { curlLine } from '../../format/curl-line.ts';
import { formatCount } from '../../format/numbers.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Snippet } from '../../ui/snippet.tsx';

/** Stands where nothing was checked, and says how to begin. */
export function FirstCheck({ testChecks }: { readonly testChecks: number }) {
  const account = useAccount();
  return (
    <>
      <EmptyState icon={IconChartHistogram} title="No live check in this time">
        {testChecks > 0
          ? `${formatCount(testChecks)} checks of test keys are on record; they are in no figure. `
          : 'Each answered check of a live key shows here a moment later. '}
        Choose a longer time above, or send one with a{' '}
        <Anchor component={AccountLink} href="/keys" underline="always">
          live key
        </Anchor>
        .
      </EmptyState>
      {account !== undefined && <FirstLine accountId={account.id} />}
    </>
  );
}

/** For a key that is put in its place: Postern knows none of them. */
const PLACE_OF_KEY = 'pst_live_…';

function FirstLine({ accountId }: { readonly accountId: string }) {
  const { data: limits } = useLimits(accountId);
  const line = curlLine(location.origin, PLACE_OF_KEY, limits?.own_authority ?? false);
  return (
    <Box maw="44rem" mx="auto" w="100%">
      <Snippet label="A first request" text={line} copyLabel="Copy the command" />
    </Box>
  );
}
