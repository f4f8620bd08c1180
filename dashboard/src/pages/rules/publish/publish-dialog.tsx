import { Alert, Button, Group, Stack, Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { hashKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { hasCode } from '../../../api/api-error.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { PatchView } from '../history/patch-view.tsx';
import { draftQuery, type HowToReplay, type Problem, RULES_KEY, type Rules, rulesQuery } from '../queries.ts';
import type { SavedDraft } from '../saving.ts';
import type { Workspace } from '../workspace.ts';
import { BacktestSummary } from './backtest-summary.tsx';
import { Outcome } from './outcome.tsx';
import { STEPS, usePublishing } from './publish-steps.ts';
import { Refusals } from './refusals.tsx';
import { WhyInput } from './why-input.tsx';

interface Props {
  readonly rules: Rules;
  readonly workspace: Workspace;
  readonly isUnsaved: boolean;
  readonly how: HowToReplay;
  readonly problems: readonly Problem[];
  readonly onSave: () => Promise<SavedDraft>;
  readonly onClose: () => void;
  readonly onPublished: () => void;
}

/** Codes of refusals which say that the draft is not made from what is there now. */
const BEHIND = ['rules_changed', 'backtest_required', 'draft_changed', 'not_found'];
/** The title of an error, by the step at which publishing stopped. */
const NOT_DONE = {
  save: 'The draft was not saved',
  tests: 'The tests were not run',
  backtest: 'The backtest was not made',
  publish: 'The rules were not published',
} as const;
const LABELS = { save: 'Save', tests: 'Lint and tests', backtest: 'Backtest', publish: 'Publish' } as const;

/** From the draft to the rules in force: each step shows what it found, and the last asks first. */
export function PublishDialog({ rules, onSave, how, onClose, onPublished }: Props) {
  const client = useQueryClient();
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const { progress, prepare, publish } = usePublishing(onSave, how);
  const { step, isRunning, draft, tests, replay, comparison, published, error } = progress;
  const [why, setWhy] = useState('');
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void prepare();
  }, [prepare]);

  const isPublishing = isRunning && step === 'publish';
  const isDone = published?.state === 'in_force';
  const putInForce = async (saved: SavedDraft) => {
    const answer = await publish(saved, why.trim());
    if (answer === null) return;
    const isTaken = answer.state === 'in_force';
    // The published draft is gone, and must not be asked for.
    if (isTaken) onPublished();
    const { queryKey } = draftQuery(saved.id);
    void client.invalidateQueries({
      queryKey: RULES_KEY,
      predicate: (query) => !isTaken || hashKey(query.queryKey) !== hashKey(queryKey),
    });
  };
  const isBehind = BEHIND.some((code) => hasCode(error, code));
  // The page learns at once of another person's change, and of a session that has ended.
  useEffect(() => {
    if (error !== null) void client.invalidateQueries({ queryKey: rulesQuery.queryKey });
  }, [error, client]);
  return (
    <Dialog
      onClose={() => isPublishing || onClose()}
      title="Publish"
      size="xl"
      fullScreen={isNarrow ?? false}
    >
      <Stack>
        <Stepper
          active={isDone ? STEPS.length : STEPS.indexOf(step)}
          size="sm"
          iconSize={30}
          orientation={isNarrow ? 'vertical' : 'horizontal'}
        >
          {STEPS.map((name) => (
            <Stepper.Step
              key={name}
              label={LABELS[name]}
              loading={isRunning && name === step}
              color={
                name === step && (error !== null || (tests?.refusals.length ?? 0) > 0) ? 'red' : undefined
              }
            />
          ))}
        </Stepper>
        <div aria-live="polite">
          {tests !== null && tests.refusals.length > 0 && <Refusals tests={tests} />}
          {isBehind ? (
            <Alert color="yellow" title="Not published: something newer is there">
              <Text size="sm">
                Since you began, another person has saved, published or discarded this draft, published other
                rules, or edited the files in {rules.directory.path}. Nothing was published. Close this
                dialog: where the two can be merged, the page offers it.
              </Text>
            </Alert>
          ) : (
            <ErrorNotice error={error} onRetry={prepare} deed={NOT_DONE[step]} />
          )}
          {published !== null && <Outcome published={published} directory={rules.directory.path} />}
        </div>
        {published === null && replay !== null && <BacktestSummary replay={replay} isNoted />}
        {published === null && comparison !== null && <PatchView comparison={comparison} />}
        {published === null && step === 'publish' && !isBehind && <WhyInput value={why} onChange={setWhy} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={isPublishing} onClick={onClose}>
            {published === null ? 'Cancel' : 'Close'}
          </Button>
          {published === null && (
            <Button
              disabled={step !== 'publish' || draft === null || isBehind}
              loading={isPublishing}
              onClick={() => draft !== null && void putInForce(draft)}
            >
              {rules.directory.is_writable ? 'Put in force' : 'Make a patch'}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
