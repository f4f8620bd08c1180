import { useDebouncedValue } from '@mantine/hooks';
import { IconListCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useParams } from 'wouter';
import { useAddress } from '../../address.ts';
import { hasCode } from '../../api/api-error.ts';
import { ENTRIES_A_PAGE, useNamedList } from '../../api/lists.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { lastPageOf } from './entry-pages.tsx';
import { NamedListShown } from './named-list-shown.tsx';

/** Debounce of the search. */
const TYPING_MS = 200;

/** One named list: what stands in it, and which rules look into it. */
export default function NamedListPage() {
  const { name = '' } = useParams();
  const [address, put] = useAddress();
  const search = address.get('search') ?? '';
  const page = Math.max(1, Math.trunc(Number(address.get('page') ?? 1)) || 1);
  const [asked] = useDebouncedValue(search, TYPING_MS);
  const query = useNamedList(name, asked, (page - 1) * ENTRIES_A_PAGE);
  const { data, error, isPlaceholderData } = query;
  const isNone = hasCode(error, 'not_found');
  const last = data && !isPlaceholderData ? lastPageOf(data.found) : page;
  const toPage = (next: number, how?: { readonly replace: boolean }) =>
    put({ page: next === 1 ? null : String(next) }, how);
  // The page may be gone with the last of its entries.
  useEffect(() => {
    if (page > last) toPage(last, { replace: true });
  });
  return (
    <Page
      docs="rules#named-lists"
      title={name}
      description={<TextLink href="/lists?list=named">All named lists</TextLink>}
    >
      {isNone && (
        <EmptyState icon={IconListCheck} title="There is no such list">
          It has another name by now, or was taken away with the rules that read it.
        </EmptyState>
      )}
      {!isNone && (
        <Loaded query={query} deed="The list could not be read" label="Loading the list" height={320}>
          {(shown) => (
            <NamedListShown
              shown={shown}
              search={search}
              page={Math.min(page, last)}
              onSearch={(word) => put({ search: word, page: null }, { replace: true })}
              onPage={(next) => toPage(next)}
            />
          )}
        </Loaded>
      )}
    </Page>
  );
}
