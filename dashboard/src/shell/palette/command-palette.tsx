import { VisuallyHidden } from '@mantine/core';
import { createSpotlight, Spotlight, type SpotlightStore } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { may } from '../../access.ts';
import { useAccount, useNavigateInAccount } from '../../account-in-view.ts';
import { useSameScope } from '../../address.ts';
import { useNamePerson } from '../../api/checks.ts';
import { useSession } from '../../api/session.ts';
import { searchOfChecks } from '../../pages/checks/check-filters.ts';
import { PAGES } from '../../pages.ts';
import { useOpenerFocus } from '../../ui/dialog.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import classes from './command-palette.module.css';
import { paletteGroups, type Target } from './palette-entries.ts';
import { ruleNamesQuery } from './rule-names.ts';

const ASKED = 'Go to a page, an account, a rule, a check or a document';

/** Mounted only while it is open, so that it begins empty each time. */
export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const account = useAccount();
  const [{ store, close }] = useState(openedPalette);
  const [selected, setSelected] = useState(-1);
  const [query, setQuery] = useState('');
  const { goTo, error, forgetError } = useGoTo(close);
  useOpenerFocus();
  const pages = PAGES.filter(({ access }) => may(access, session, account));
  const mayReadRules = pages.some(({ path }) => path === '/rules');
  const rules = useQuery({ ...ruleNamesQuery, enabled: mayReadRules });
  const sections = useQuery({
    queryKey: ['document', 'sections'],
    queryFn: async () => (await import('../../pages/docs/sections.ts')).SECTIONS,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useFirstSelected(store, [rules.data, sections.data]);
  const groups = paletteGroups(query, {
    pages,
    accounts: session.accounts.filter(({ id }) => id !== account?.id),
    rules: rules.data ?? [],
    sections: sections.data ?? [],
  });
  const chosen = groups.flatMap(({ entries }) => entries)[selected];
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={(text) => {
        forgetError();
        setSelected(-1);
        setQuery(text);
      }}
      onSpotlightClose={onClose}
      // usePalette has the shortcuts: they work before this file is loaded.
      shortcut={null}
      returnFocus={false}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      classNames={{
        action: classes.action,
        actionLabel: classes.label,
        actionBody: classes.body,
        actionDescription: classes.detail,
      }}
    >
      <Spotlight.Search
        aria-label={ASKED}
        placeholder={`${ASKED} …`}
        // The arrow keys change the store without notifying its subscribers.
        onKeyUp={() => setSelected(store.getState().selected)}
        leftSection={<IconSearch size={20} stroke={1.6} aria-hidden />}
        autoComplete="off"
        spellCheck={false}
      />
      <Spotlight.ActionsList>
        {groups.map(({ name, entries }) => (
          <Spotlight.ActionsGroup key={name} label={name} role="group" aria-label={name}>
            {entries.map(({ id, title, detail, icon: EntryIcon, to }) => (
              <Spotlight.Action
                key={id}
                label={title}
                description={detail}
                leftSection={<EntryIcon size={18} stroke={1.6} aria-hidden />}
                // An email is sent to the service first: a failure is shown in the open palette.
                closeSpotlightOnTrigger={!('email' in to)}
                onClick={() => goTo(to)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
      {groups.length === 0 && <Spotlight.Empty>Nothing of that name.</Spotlight.Empty>}
      {error !== null && (
        <Spotlight.Footer>
          <ErrorNotice error={error} deed="The address was not looked for" />
        </Spotlight.Footer>
      )}
      {rules.isError && (
        <Spotlight.Footer>
          <Dimmed size="sm" role="status">
            The rules could not be read, and are not among these.
          </Dimmed>
        </Spotlight.Footer>
      )}
      {/* The focus stays in the field: this tells screen readers which entry the arrow keys have reached. */}
      <VisuallyHidden role="status">{chosen?.title}</VisuallyHidden>
    </Spotlight.Root>
  );
}

function openedPalette() {
  const [store, { open, close }] = createSpotlight();
  open();
  return { store, close };
}

/** Late results may come before the selected first entry: selects the new first entry then. */
function useFirstSelected(store: SpotlightStore, late: readonly unknown[]): void {
  useEffect(() => {
    const { listId, selected } = store.getState();
    // Nothing is selected before anything was typed, and a choice by the arrow keys stays.
    if (selected !== 0 || listId === '') return;
    const actions = document.querySelectorAll(`#${listId} [data-action]`);
    // Mantine marks the selected entry by these attributes alone.
    for (const action of actions) action.removeAttribute('data-selected');
    actions[0]?.setAttribute('data-selected', 'true');
  }, [store, ...late]);
}

function useGoTo(close: () => void) {
  const [path] = useLocation();
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigateInAccount();
  const sameScope = useSameScope();
  const { mutateAsync: namePerson, error, reset } = useNamePerson();
  const searchMailbox = async (email: string) => {
    // The error is shown below the entries.
    const named = await namePerson(email).catch(() => null);
    if (named === null) return;
    close();
    navigate(sameScope(searchOfChecks({ person: named.person })));
  };
  const goTo = (to: Target) => {
    if ('href' in to) return navigate(sameScope(to.href));
    // Drops the other search parameters: they belong to the account before.
    if ('account' in to) return setSearch({ account: to.account });
    if ('email' in to) return void searchMailbox(to.email);
    // A draft that is open stays open.
    const next = new URLSearchParams(path === '/rules' ? search : {});
    next.set('rule', to.rule);
    return navigate(`/rules?${next}`);
  };
  return { goTo, error, forgetError: reset };
}
