import { Select, Skeleton, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../../format/numbers.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { type ShadowReport, shadowQuery } from '../queries.ts';
import { Caveats } from './caveats.tsx';
import { ChallengerCard } from './challenger-card.tsx';
import { ShadowRuleCard } from './shadow-rule-card.tsx';

const SPANS = [7, 30, 90].map((days) => ({ value: String(days), label: `Last ${days} days` }));

/** What is tried on live traffic without counting, and whether it may count. */
export default function ShadowPage() {
  const [days, setDays] = useState(30);
  const { data, error, refetch } = useQuery(shadowQuery(days));
  return (
    <Page
      title="Shadow board"
      description="Rules and whole rule sets that judge live checks and change no answer, and what a promotion takes."
      actions={
        <Select
          aria-label="Checks of"
          data={SPANS}
          value={String(days)}
          onChange={(value) => value !== null && setDays(Number(value))}
          allowDeselect={false}
          w={150}
        />
      }
    >
      {error !== null && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined ? (
        error === null && <Skeleton h={240} role="status" aria-label="Loading" />
      ) : (
        <Board report={data} />
      )}
    </Page>
  );
}

function Board({ report }: { readonly report: ShadowReport }) {
  const { challenger, rules, caveats, checks } = report;
  if (challenger === null && rules.length === 0) {
    return (
      <EmptyState icon={IconEyeOff} title="Nothing is tried at present">
        {formatCount(checks)} checks are on record for these days. Give a rule <code>mode: shadow</code>, and
        it is evaluated in every check, written into the ledger, and counted here, without ever adding a
        point. A whole directory is tried as <code>rules.challenger_dir</code>.
      </EmptyState>
    );
  }
  return (
    <Stack gap="lg">
      <Caveats caveats={caveats} />
      {challenger !== null && <ChallengerCard report={challenger} others={report.other_challengers} />}
      {rules.map((rule) => (
        <ShadowRuleCard key={rule.id} report={rule} />
      ))}
    </Stack>
  );
}
