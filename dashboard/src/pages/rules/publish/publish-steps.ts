import { useCallback, useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import type { Comparison, HowToReplay, Published, Replay, Tests } from '../queries.ts';
import type { SavedDraft } from '../saving.ts';

export const STEPS = ['save', 'tests', 'backtest', 'publish'] as const;
export type Step = (typeof STEPS)[number];

/** How far the publishing of a draft has come. */
export interface Progress {
  /** Under way, or where it stopped. */
  readonly step: Step;
  readonly isRunning: boolean;
  readonly draft: SavedDraft | null;
  readonly tests: Tests | null;
  readonly replay: Replay | null;
  readonly comparison: Comparison | null;
  readonly published: Published | null;
  readonly error: unknown;
}

const BEGINNING: Progress = {
  ...{ step: 'save', isRunning: false, draft: null, tests: null, replay: null },
  ...{ comparison: null, published: null, error: null },
};

/** `prepare` takes the steps before the person decides, one after the other; `publish` the last one. */
export function usePublishing(save: () => Promise<SavedDraft>, how: HowToReplay) {
  const [progress, setProgress] = useState(BEGINNING);

  const prepare = useCallback(async () => {
    const note = (part: Partial<Progress>) => setProgress((before) => ({ ...before, ...part }));
    setProgress({ ...BEGINNING, isRunning: true });
    try {
      const draft = await save();
      const path = { draft_id: draft.id };
      note({ draft, step: 'tests' });
      const tests = await answerOf(api.POST('/dashboard/api/rules/test', { body: { files: draft.files } }));
      note({ tests });
      if (tests.refusals.length > 0) return note({ isRunning: false });
      note({ step: 'backtest' });
      const body = { revision: draft.revision, days: how.days, cost_ratio: how.costRatio };
      const [{ replay }, comparison] = await Promise.all([
        answerOf(api.POST('/dashboard/api/rules/drafts/{draft_id}/backtest', { params: { path }, body })),
        answerOf(
          api.GET('/dashboard/api/rules/comparison', {
            params: { query: { before: 'in_force', after: draft.id } },
          }),
        ),
      ]);
      note({ replay, comparison, step: 'publish', isRunning: false });
    } catch (error) {
      note({ error, isRunning: false });
    }
  }, [save, how]);

  /** Null where it was refused. */
  const publish = useCallback(async (draft: SavedDraft, why: string) => {
    setProgress((before) => ({ ...before, isRunning: true, error: null }));
    try {
      const published = await answerOf(
        api.POST('/dashboard/api/rules/drafts/{draft_id}/publish', {
          params: { path: { draft_id: draft.id } },
          body: { revision: draft.revision, ...(why !== '' && { why }) },
        }),
      );
      setProgress((before) => ({ ...before, published, isRunning: false }));
      return published;
    } catch (error) {
      setProgress((before) => ({ ...before, error, isRunning: false }));
      return null;
    }
  }, []);

  return { progress, prepare, publish };
}
