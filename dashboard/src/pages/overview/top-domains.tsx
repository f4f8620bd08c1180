import { Text } from '@mantine/core';
import type { Overview } from '../../api/overview.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { HorizontalBars } from '../../ui/charts/horizontal-bars.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useLinkToChecks } from './link-to-checks.ts';

const SHOWN = 10;

export function TopDomains({ overview }: { readonly overview: Overview }) {
  const linkTo = useLinkToChecks();
  const { domains, different_domains: all } = overview;
  return (
    <Panel title="Domains" description={`Those with most checks, of ${formatCount(all)} in all.`}>
      {domains.length === 0 ? (
        <Text size="sm">Records hold no domain: privacy.store_addresses is none.</Text>
      ) : (
        <HorizontalBars
          title="Domains with most checks"
          color="chart-3"
          bars={domains.slice(0, SHOWN).map(({ domain, checks, blocked }) => ({
            id: domain,
            label: <TextLink href={linkTo({ domain })}>{domain}</TextLink>,
            value: checks,
            note: `${formatShare(blocked / checks)} blocked`,
          }))}
        />
      )}
    </Panel>
  );
}
