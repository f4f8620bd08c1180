import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useSession } from '../../api/session.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { draftQuery, isGone, languageQuery, rulesQuery, WATCH_MS } from './queries.ts';
import { RulesDesk } from './rules-desk.tsx';
import { ofGoneDraft } from './unsaved-text.ts';
import { ofDraft, ofRulesInForce } from './workspace.ts';

const DESCRIPTION =
  'Change the rules, see at once what the change would have done to the checks on record, then publish it.';

/** The editor of rules. `?draft=drf_…` opens a draft, without it the rules in force. */
export default function RulesPage() {
  const [search] = useSearchParams();
  const wanted = search.get('draft');
  const { person } = useSession();
  const rules = useQuery({ ...rulesQuery, refetchInterval: WATCH_MS });
  const language = useQuery(languageQuery);
  const draft = useQuery(draftQuery(wanted));
  const error = rules.error ?? language.error ?? draft.error;
  const isDraftGone = isGone(draft.error);
  const opened = useMemo(() => {
    if (wanted === null) return rules.data && ofRulesInForce(rules.data);
    if (draft.data) return ofDraft(draft.data);
    return isDraftGone && rules.data ? ofGoneDraft(person.id, wanted, rules.data) : undefined;
  }, [wanted, draft.data, rules.data, isDraftGone, person.id]);
  if (rules.data && language.data && opened) {
    return (
      <RulesDesk
        {...{ opened, isGone: isDraftGone, person: person.id }}
        rules={rules.data}
        language={language.data}
      />
    );
  }
  return (
    <Page title="Rules" description={DESCRIPTION}>
      {error === null ? (
        <Stack role="status" aria-label="Loading the rules">
          <Skeleton h={40} />
          <Skeleton h={420} />
        </Stack>
      ) : (
        <Stack align="flex-start">
          <ErrorNotice
            deed={draft.error === null ? 'The rules could not be read' : 'The draft could not be opened'}
            error={error}
            onRetry={() => Promise.all([rules.refetch(), language.refetch(), draft.refetch()])}
          />
          {draft.error !== null && <TextLink href="/rules">Open the rules in force</TextLink>}
        </Stack>
      )}
    </Page>
  );
}
