import { describe, expect, it } from 'vitest';
import { NewestOnly } from '../../../src/rule-lab/editing/rule-editing.ts';

const NEVER = new AbortController().signal;

/** Questions whose answers come when a test says so, unless they are given up. */
function slowQuestions() {
  const questions = new NewestOnly();
  const ends: (() => void)[] = [];
  const ask = (asker: string, signal = NEVER) =>
    questions.ask(
      asker,
      signal,
      (either) =>
        new Promise<string>((resolve, reject) => {
          ends.push(() => resolve('answer'));
          either.addEventListener('abort', () => reject(either.reason));
        }),
    );
  return { ask, ends };
}

describe('questions of which the newest counts', () => {
  it('give up the older one of the same page, and no other', async () => {
    const { ask, ends } = slowQuestions();
    const [older, others, newer] = [ask('ann'), ask('bob'), ask('ann')];
    expect(await older).toBeUndefined();
    for (const end of ends) end();
    expect(await Promise.all([others, newer])).toEqual(['answer', 'answer']);
  });

  it('are given up when the page is left', async () => {
    const { ask } = slowQuestions();
    const left = new AbortController();
    const asked = ask('ann', left.signal);
    left.abort();
    expect(await asked).toBeUndefined();
  });

  it('tell what failed by itself', async () => {
    const failing = new NewestOnly().ask('ann', NEVER, () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
  });
});
