import { Anchor, Skeleton } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { ENTRIES_A_PAGE, useNamedList } from '../../api/lists.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { lastPageOf } from './entry-pages.tsx';
import { NamedListShown } from './named-list-shown.tsx';

/** Debounce of the search. */
const TYPING_MS = 200;

/** The URL parameters with `words` set; an empty word removes its parameter. */
function changed(before: URLSearchParams, words: Readonly<Record<string, string>>): URLSearchParams {
  const kept = [...before].filter(([name]) => words[name] === undefined);
  return new URLSearchParams([...kept, ...Object.entries(words).filter(([, word]) => word !== '')]);
}

/** The text, debounced. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** One named list: what stands in it, and which rules look into it. */
export default function NamedListPage() {
  const { name = '' } = useParams();
  const [address, setAddress] = useSearchParams();
  const search = address.get('search') ?? '';
  const page = Math.max(1, Math.trunc(Number(address.get('page') ?? 1)) || 1);
  const asked = useRested(search);
  const { data, error, refetch, isPlaceholderData } = useNamedList(name, asked, (page - 1) * ENTRIES_A_PAGE);
  const isNone = error instanceof ApiError && error.code === 'not_found';
  const last = data && !isPlaceholderData ? lastPageOf(data.found) : page;
  const toPage = (next: number, how = {}) =>
    setAddress((before) => changed(before, { page: next === 1 ? '' : String(next) }), how);
  // The page may be gone with the last of its entries.
  useEffect(() => {
    if (page > last) toPage(last, { replace: true });
  });
  return (
    <Page
      docs="rules#named-lists"
      title={name}
      description={
        <Anchor component={AccountLink} href="/lists?list=named" size="sm">
          All named lists
        </Anchor>
      }
    >
      {isNone && (
        <EmptyState icon={IconListCheck} title="There is no such list">
          It has another name by now, or was taken away with the rules that read it.
        </EmptyState>
      )}
      {error !== null && !isNone && (
        <ErrorNotice error={error} deed="The list could not be read" onRetry={() => refetch()} />
      )}
      {data === undefined && error === null && (
        <Skeleton h={320} role="status" aria-label="Loading the list" />
      )}
      {data !== undefined && !isNone && (
        <NamedListShown
          shown={data}
          search={search}
          page={Math.min(page, last)}
          onSearch={(word) =>
            setAddress((before) => changed(before, { search: word, page: '' }), { replace: true })
          }
          onPage={toPage}
        />
      )}
    </Page>
  );
}
