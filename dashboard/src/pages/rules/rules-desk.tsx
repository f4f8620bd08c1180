import { SegmentedControl, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { Page } from '../../ui/page.tsx';
import { DraftBar } from './draft-bar.tsx';
import { EffectPanel } from './effect/effect-panel.tsx';
import { KeptNotice } from './kept-notice.tsx';
import type { RuleLanguage } from './language/suggestions.ts';
import type { Draft, HowToReplay, Rules } from './queries.ts';
import { useLint, useReplay } from './queries.ts';
import classes from './rules-desk.module.css';
import { useSaving } from './saving.ts';
import { SourcePanel } from './source-panel.tsx';
import { StateNotices } from './state-notices.tsx';
import { useWorkspace } from './use-workspace.ts';
import type { Workspace } from './workspace.ts';

interface Props {
  readonly rules: Rules;
  readonly language: RuleLanguage;
  /** What the address asks for, as the service has it. */
  readonly opened: Workspace;
  /** The id of who edits. */
  readonly person: string;
}

const VIEWS = [
  { value: 'source', label: 'Rules' },
  { value: 'effect', label: 'Effect' },
];
/** Of a slider or a field, while it is moved. */
const PAUSE_MS = 300;

/** The text on one side, what it would do on the other; at phone width one of them at a time. */
export function RulesDesk({ rules, language, opened, person }: Props) {
  const desk = useWorkspace(opened, person);
  const { workspace, settled, isUnsaved, isKept, keptSince, edit, open, load, noteSaved } = desk;
  const [search, setSearch] = useSearchParams();
  const [view, setView] = useState('source');
  const [tab, setTab] = useState('scores');
  const [how, setHow] = useState<HowToReplay>({ days: 30, costRatio: 5 });
  const [settledHow] = useDebouncedValue(how, PAUSE_MS);
  const lint = useLint(settled);
  const replay = useReplay(settled, settledHow, rules.in_force.ruleset);

  // Another draft was chosen, or others have come in force while nothing was changed here. A draft that was just begun is there
  // before the address names it.
  const wanted = search.get('draft');
  useEffect(() => {
    if (opened.draftId !== wanted) return;
    const isOther = workspace.draftId !== wanted;
    const isOld = wanted === null && !isUnsaved && workspace.baseDigest !== opened.baseDigest;
    if (isOther || isOld) open(opened);
  }, [opened, wanted, workspace.draftId, workspace.baseDigest, isUnsaved, open]);

  const problems = useMemo(() => lint.data?.problems ?? [], [lint.data]);
  const go = useCallback(
    (id: string | null) =>
      setSearch((before) => {
        const next = new URLSearchParams(before);
        if (id === null) next.delete('draft');
        else next.set('draft', id);
        return next;
      }),
    [setSearch],
  );
  const onSaved = useCallback(
    (draft: Draft) => {
      noteSaved(draft);
      if (draft.id !== wanted) go(draft.id);
    },
    [noteSaved, go, wanted],
  );
  const saving = useSaving(workspace, onSaved);
  return (
    <Page
      title="Rules"
      description="Change the rules, see at once what the change would have done to the checks on record, then publish it."
    >
      <Stack gap="md">
        <DraftBar
          {...{ rules, workspace, isUnsaved, isKept, how, problems, saving, person }}
          onSaved={onSaved}
          onLoad={load}
          onOpen={go}
        />
        {keptSince !== null && isUnsaved && <KeptNotice since={keptSince} onDiscard={() => load(opened)} />}
        <StateNotices rules={rules} workspace={workspace} />
        <SegmentedControl
          className={classes.switch}
          data={VIEWS}
          value={view}
          onChange={setView}
          fullWidth
          aria-label="What to show"
        />
        <div className={classes.desk} data-view={view} data-tab={tab}>
          <div className={classes.source}>
            <SourcePanel
              {...{ workspace, language, problems }}
              isLinting={lint.isFetching || settled.version !== workspace.version}
              error={lint.error}
              onEdit={edit}
              onSave={() => isUnsaved && saving.save().catch(() => undefined)}
            />
          </div>
          <div className={classes.effect}>
            <EffectPanel
              answer={replay.data}
              error={replay.error}
              isBusy={replay.isFetching || settled.version !== workspace.version}
              {...{ workspace, how, tab }}
              onTab={setTab}
              onHow={setHow}
              onEdit={edit}
            />
          </div>
        </div>
      </Stack>
    </Page>
  );
}
