import type { Config } from '../../app/config/config.ts';
import { ChildDialogue } from '../../jobs/child-dialogue.ts';
import type { RuleSources } from '../../rules/rule-files.ts';
import type { Judgement, JudgingTools, RuleJudge } from '../rule-judge.ts';

/** What a judging process needs to know, once. */
export interface JudgeOpening {
  readonly config: Config;
  readonly providerOptions: JudgingTools['providerOptions'];
}

export interface JudgeOrder {
  readonly sources: RuleSources;
  readonly now: number;
}

export type JudgeReply = { readonly judgement: Judgement } | { readonly failure: string };

export interface ChildProcessJudgeOptions extends JudgeOpening {
  /** Another program, for tests of one that falls. */
  readonly program?: URL;
  readonly limitMs?: number;
}

/** Compiled beside this file: the signals room has decorators, which node cannot run from TypeScript. */
const PROGRAM = new URL('./judge.process.js', import.meta.url);
/** The shipped rules take 0.1 s, and the providers that are loaded first 0.5 s. A test cannot loop, but a large set is slow. */
const LIMIT_MS = 30_000;
/** Kept for the next save of somebody who is editing, then ended: it holds as much memory as a small service. */
const IDLE_MS = 30_000;

/**
 * Lints and tests in a process of its own: the 0.1 s of the shipped rules would hold up every request meanwhile, and what
 * goes wrong there ends nothing else. Not in a worker, for the reason that `updateInProcess` gives. One judgement at a time.
 */
export class ChildProcessJudge implements RuleJudge {
  readonly #dialogue: ChildDialogue<JudgeOrder, JudgeReply>;
  #isClosed = false;

  constructor({ config, providerOptions, program = PROGRAM, limitMs = LIMIT_MS }: ChildProcessJudgeOptions) {
    this.#dialogue = new ChildDialogue({
      program,
      limitMs,
      idleMs: IDLE_MS,
      opening: { config, providerOptions } satisfies JudgeOpening,
      does: 'judges rules',
      tooLate: () => new Error(`the rules were not judged within ${limitMs / 1_000} s`),
    });
  }

  async judge(sources: RuleSources, now: number): Promise<Judgement> {
    if (this.#isClosed) throw new Error('the judge of rules is closed');
    const reply = await this.#dialogue.ask({ sources, now });
    if ('failure' in reply) throw new Error(reply.failure);
    return reply.judgement;
  }

  /** For good: whoever asks afterwards starts no process that would outlive this one. */
  close(): void {
    this.#isClosed = true;
    this.#dialogue.end();
  }
}
