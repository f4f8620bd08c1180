import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useAddress } from '../../address.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Page } from '../../ui/page.tsx';
import { oneOf, SPANS, shownFile, TABS } from './address.ts';
import { ConflictsNotice } from './conflicts-notice.tsx';
import { DraftBar } from './draft-bar.tsx';
import { KeptNotice } from './kept-notice.tsx';
import { type RuleForm, readRule } from './language/rule-form.ts';
import { placeOfRule, withMode } from './language/rule-text.ts';
import type { RuleLanguage } from './language/suggestions.ts';
import { newerThan } from './newer.ts';
import { NewerNotice } from './newer-notice.tsx';
import type { Draft, HowToReplay, Rules } from './queries.ts';
import { draftQuery, useLint, useReplay } from './queries.ts';
import classes from './rules-desk.module.css';
import { useSaving } from './saving.ts';
import { type Place, SourcePanel } from './source-panel.tsx';
import { StateNotices } from './state-notices.tsx';
import { forgetText, replaceText } from './unsaved-text.ts';
import { useWorkspace } from './use-workspace.ts';
import { judgedOf, type Workspace } from './workspace.ts';

// Loaded after the text, which is there a second sooner on a slow line.
const EffectPanel = lazy(() => import('./effect/effect-panel.tsx'));
const RuleFormDialog = lazy(async () => ({
  default: (await import('./form/rule-form-dialog.tsx')).RuleFormDialog,
}));

interface Props {
  readonly rules: Rules;
  readonly language: RuleLanguage;
  /** The draft or the rules that the URL asks for, as the service has them. */
  readonly opened: Workspace;
  /** The draft that the URL asks for was published or discarded. */
  readonly isGone: boolean;
  /** The id of the person who edits. */
  readonly person: string;
}

const VIEWS = [
  { value: 'source', label: 'Rules' },
  { value: 'effect', label: 'Effect' },
];
/** Debounce of the options of the replay. */
const PAUSE_MS = 300;
const INSTEAD = { replace: true };

/** The text on one side, what it would do on the other; at phone width one of them at a time. */
export function RulesDesk({ rules, language, opened, isGone, person }: Props) {
  const desk = useWorkspace(opened, person);
  const { workspace, settled, isUnsaved, isKept, keptSince, edit, load, noteSaved } = desk;
  const [search, put] = useAddress();
  const [view, setView] = useState('source');
  const [goTo, setGoTo] = useState<Place | null>(null);
  const [form, setForm] = useState<{ readonly file: string; readonly rule: RuleForm | null } | null>(null);
  const [costRatio, setCostRatio] = useState(5);
  const tab = oneOf(TABS, search.get('tab'));
  const days = Number(oneOf(SPANS, search.get('days')));
  const how: HowToReplay = useMemo(() => ({ days, costRatio }), [days, costRatio]);
  const [settledHow] = useDebouncedValue(how, PAUSE_MS);
  const judged = useMemo(() => judgedOf(settled, rules.in_force), [settled, rules.in_force]);
  const lint = useLint(judged);
  const replay = useReplay(judged, settledHow, rules.in_force.ruleset);
  const wanted = search.get('draft');
  const go = useCallback((id: string | null) => put({ draft: id }), [put]);
  const onSaved = useCallback(
    (draft: Draft) => {
      noteSaved(draft);
      if (draft.id !== wanted) go(draft.id);
    },
    [noteSaved, go, wanted],
  );
  const saving = useSaving(workspace, person, onSaved);
  const found = newerThan(workspace, rules);
  // During a save the list may have that very save, which the page does not know yet.
  const newer = found === 'draft' && saving.isPending ? null : found;
  // Newer rules are merged into a draft. Without a draft they are opened, where nothing was changed.
  const isDraftBehind = workspace.draftId !== null && newer === 'in_force';
  // The list may be older than a draft: only the query of the draft itself tells that it is gone.
  const isNewerSaid = newer === 'gone' ? isGone : isUnsaved || isDraftBehind;
  // An open form is filled from the text, which must not be replaced meanwhile.
  const isUsed = isUnsaved || form !== null;
  useFollowing({ ...desk, isUnsaved: isUsed, opened, wanted, isNewer: newer !== null && !isGone });

  const named = search.get('file');
  const file = shownFile(workspace.files, named);
  // The files of a draft that is being opened are not there yet.
  const isNoFile = named !== null && named !== file && workspace.draftId === wanted;
  useEffect(() => {
    if (isNoFile) put({ file }, INSTEAD);
  }, [isNoFile, file, put]);

  const problems = useMemo(() => lint.data?.problems ?? [], [lint.data]);
  /** Leaves a draft that is gone, and forgets what was typed into it. */
  const leaveGone = () => {
    forgetText(person, workspace.draftId);
    go(null);
  };
  const openFile = useCallback(
    (file: string, place: Place | null = null) => {
      put({ file, rule: null, promote: null, form: null }, INSTEAD);
      // A new object each time, so that the same place can be gone to again.
      setGoTo(place && { ...place });
      setView('source');
    },
    [put],
  );
  const openRule = (id: string) => {
    const found = placeOfRule(workspace.files, id);
    if (found !== null) openFile(found.file, found.place);
  };
  const openForm = useCallback((file: string, rule: RuleForm | null) => setForm({ file, rule }), []);
  useRequests({ search, edit, files: workspace.files, openFile, openForm });
  return (
    <Page
      docs="rules"
      title="Rules"
      description="Change the rules, see at once what the change would have done to the checks on record, then publish it."
    >
      <Stack gap="md">
        <DraftBar
          {...{ rules, workspace, isUnsaved, isKept, how, problems, saving, person }}
          isBehind={newer !== null}
          onRenamed={desk.noteRenamed}
          onLoad={load}
          onOpen={go}
        />
        {keptSince !== null && isUnsaved && (
          <KeptNotice since={keptSince} onDiscard={() => (newer === 'gone' ? leaveGone() : load(opened))} />
        )}
        {isNewerSaid && (
          <NewerNotice
            {...{ rules, workspace, newer }}
            onMerged={(merged) => {
              saving.reset();
              desk.loadMerged(merged);
            }}
            onTake={() => {
              saving.reset();
              load(opened);
            }}
            onKept={({ mine, merged }) => {
              saving.reset();
              replaceText(person, mine.draftId, merged);
            }}
            onOpen={go}
          />
        )}
        <ConflictsNotice files={workspace.files} onOpen={openFile} />
        <StateNotices rules={rules} />
        <SegmentedControl
          className={classes.switch}
          data={VIEWS}
          value={view}
          onChange={setView}
          fullWidth
          aria-label="What to show"
        />
        <div className={classes.desk} data-view={view}>
          <div className={classes.source}>
            <SourcePanel
              {...{ workspace, language, problems, file, goTo }}
              isLinting={lint.isFetching || settled.version !== workspace.version}
              error={lint.error}
              onRetry={() => lint.refetch()}
              onOpen={openFile}
              onEdit={edit}
              onNewRule={(file) => openForm(file, null)}
              onSave={() => isUnsaved && saving.save().catch(() => undefined)}
            />
          </div>
          <div className={classes.effect}>
            <ErrorBoundary>
              <Suspense fallback={<Skeleton h={420} role="status" aria-label="Loading the effect" />}>
                <EffectPanel
                  answer={replay.data}
                  error={replay.error}
                  onRetry={() => replay.refetch()}
                  isBusy={replay.isFetching || settled.version !== workspace.version}
                  {...{ workspace, how, tab }}
                  onRule={openRule}
                  onForm={({ file, id }) => openForm(file, readRule(workspace.files, file, id))}
                  onTab={(value) => put({ tab: value }, INSTEAD)}
                  onHow={(next) => {
                    put({ days: String(next.days) }, INSTEAD);
                    setCostRatio(next.costRatio);
                  }}
                  onEdit={edit}
                />
              </Suspense>
            </ErrorBoundary>
          </div>
        </div>
      </Stack>
      {form !== null && (
        <Suspense>
          <RuleFormDialog
            {...form}
            {...{ language, files: workspace.files }}
            onClose={() => setForm(null)}
            onWrite={(file, text, id) => {
              edit((before) => ({ ...before, [file]: text }));
              setForm(null);
              openFile(file, placeOfRule({ [file]: text }, id)?.place ?? null);
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}

interface Following extends Pick<ReturnType<typeof useWorkspace>, 'workspace' | 'isUnsaved' | 'open'> {
  readonly opened: Workspace;
  readonly wanted: string | null;
  readonly isNewer: boolean;
}

/**
 * Opens what the URL asks for, and a newer state of it where nothing was changed here. A draft that was just saved for the first time
 * is open before the URL names it.
 */
function useFollowing({ workspace, isUnsaved, open, opened, wanted, isNewer }: Following): void {
  const { draftId, baseDigest, revision } = workspace;
  const isOther = draftId !== wanted;
  const isOld = !isUnsaved && (opened.baseDigest !== baseDigest || opened.revision > revision);
  useEffect(() => {
    if (opened.draftId === wanted && (isOther || isOld)) open(opened);
  }, [opened, wanted, isOther, isOld, open]);
  const { refetch } = useQuery({ ...draftQuery(wanted), enabled: false });
  useEffect(() => {
    if (isNewer && wanted !== null) void refetch();
  }, [isNewer, wanted, refetch]);
}

interface Requests {
  readonly search: URLSearchParams;
  readonly edit: ReturnType<typeof useWorkspace>['edit'];
  readonly files: Workspace['files'];
  readonly openFile: (file: string, place: Place) => void;
  readonly openForm: (file: string, rule: RuleForm) => void;
}

/** Requests of other pages: `?rule=…` goes to a rule, `?promote=…` makes it live in the text too, `?form=…` opens it as a form. */
function useRequests({ search, edit, files, openFile, openForm }: Requests): void {
  const [promoted, formed] = [search.get('promote'), search.get('form')];
  const rule = promoted ?? formed ?? search.get('rule');
  useEffect(() => {
    const found = rule === null ? null : placeOfRule(files, rule);
    if (rule === null || found === null) return;
    const { file, place } = found;
    if (promoted !== null) {
      edit((before) => ({
        ...before,
        [file]: withMode(before[file] ?? '', rule, 'live') ?? before[file] ?? '',
      }));
    }
    const form = formed === null ? null : readRule(files, file, formed);
    if (form !== null) openForm(file, form);
    openFile(file, place);
  }, [rule, promoted, formed, files, edit, openFile, openForm]);
}
