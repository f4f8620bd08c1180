import { Anchor } from '@mantine/core';
import { IconChartHistogram } from '@tabler/icons-react';
import { formatCounted } from '../../format/numbers.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Shown in place of figures where there is no live check, and says how to begin. */
export function FirstCheck({ testChecks }: { readonly testChecks: number }) {
  return (
    <EmptyState icon={IconChartHistogram} title="No live check in this time">
      {testChecks > 0
        ? `${formatCounted(testChecks, 'check of a test key is', 'checks of test keys are')} on record, and in no figure. `
        : 'Each answered check of a live key shows here a moment later. '}
      Choose a longer time above, or send one with a{' '}
      <Anchor component={AccountLink} href="/keys" inherit underline="always">
        live key
      </Anchor>
      .
    </EmptyState>
  );
}
