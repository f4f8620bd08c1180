import { Select, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from '../../../address.ts';
import { formatCounted } from '../../../format/numbers.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { oneOf, SPAN_CHOICES, SPANS } from '../address.ts';
import { type ShadowReport, shadowQuery } from '../queries.ts';
import { Caveats } from './caveats.tsx';
import { ChallengerCard } from './challenger-card.tsx';
import { PromoteDialog } from './promote-dialog.tsx';
import { RuleDrawer } from './rule-drawer.tsx';
import { ShadowTable } from './shadow-table.tsx';
import { triedRules } from './tried-rules.ts';

/** The rules and rule sets that are tried on live traffic without counting, and whether they may count. */
export default function ShadowPage() {
  const [search, put] = useAddress();
  const days = Number(oneOf(SPANS, search.get('days')));
  return (
    <Page
      docs="rules#trying-rules-on-live-traffic"
      title="Shadow board"
      description="Rules and whole rule sets that judge live checks and change no answer, and what a promotion takes."
      actions={
        <Select
          aria-label="Checks of"
          data={SPAN_CHOICES}
          value={String(days)}
          onChange={(value) => value !== null && put({ days: value }, { replace: true })}
          allowDeselect={false}
          w={150}
        />
      }
    >
      <Loaded
        query={useQuery(shadowQuery(days))}
        deed="The shadow board could not be read"
        label="Loading"
        height={240}
      >
        {(report) => <Board report={report} />}
      </Loaded>
    </Page>
  );
}

function Board({ report }: { readonly report: ShadowReport }) {
  const { challenger, rules, caveats, checks } = report;
  const [opened, setOpened] = useState<string | null>(null);
  const [promoted, setPromoted] = useState<string | null>(null);
  const tried = triedRules(report);
  const [openedRule, promotedRule] = [opened, promoted].map((id) => tried.find(({ live }) => live.id === id));
  if (challenger === null && rules.length === 0) {
    return (
      <EmptyState icon={IconEyeOff} title="Nothing is tried at present">
        {formatCounted(checks, 'check is', 'checks are')} on record for these days. Give a rule{' '}
        <code>mode: shadow</code>, and it is evaluated in every check, written into the ledger, and counted
        here, without ever adding a point. A whole directory is tried as <code>rules.challenger_dir</code>.
      </EmptyState>
    );
  }
  return (
    <Stack gap="lg">
      <Caveats caveats={caveats} />
      {challenger !== null && <ChallengerCard report={challenger} others={report.other_challengers} />}
      {rules.length > 0 && (
        <Panel
          title="Rules"
          description="Figures are of live traffic, or of a replay of the records where that covers more. A promotion goes by live traffic."
        >
          <ShadowTable rules={tried} onOpen={setOpened} onPromote={setPromoted} />
        </Panel>
      )}
      {openedRule !== undefined && <RuleDrawer rule={openedRule} onClose={() => setOpened(null)} />}
      {promotedRule !== undefined && <PromoteDialog rule={promotedRule} onClose={() => setPromoted(null)} />}
    </Stack>
  );
}
