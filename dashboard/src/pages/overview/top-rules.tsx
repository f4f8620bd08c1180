import { Text } from '@mantine/core';
import type { Overview } from '../../api/overview.ts';
import { formatShare } from '../../format/numbers.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { HorizontalBars } from '../../ui/charts/horizontal-bars.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useLinkToChecks } from './link-to-checks.ts';

const SHOWN = 10;

export function TopRules({ overview: { rules } }: { readonly overview: Overview }) {
  const linkTo = useLinkToChecks();
  const fired = rules.filter(({ fires }) => fires > 0).slice(0, SHOWN);
  return (
    <Panel
      title="Rules that fired most"
      description="Checks in which each fired, and how many of these were blocked."
    >
      {fired.length === 0 ? (
        <Text size="sm">No rule has fired: every check was ordinary.</Text>
      ) : (
        <HorizontalBars
          title="Rules that fired most"
          bars={fired.map(({ id, fires, blocked }) => ({
            id,
            label: <TextLink href={linkTo({ rule: id })}>{id}</TextLink>,
            value: fires,
            note: `${formatShare(blocked / fires)} blocked`,
          }))}
        />
      )}
    </Panel>
  );
}
