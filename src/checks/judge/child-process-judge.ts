import type { ChildProcess } from 'node:child_process';
import { startChildProgram } from '../../child-program.ts';
import type { Config } from '../../config/config.ts';
import type { RuleSources } from '../../rules/rule-sources.ts';
import type { Judgement, JudgingTools, RuleJudge } from './judge-rules.ts';

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
  readonly #options: ChildProcessJudgeOptions;
  #child: ChildProcess | undefined;
  #isClosed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ChildProcessJudgeOptions) {
    this.#options = options;
  }

  async judge(sources: RuleSources, now: number): Promise<Judgement> {
    if (this.#isClosed) throw new Error('the judge of rules is closed');
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const reply = await this.#ask(child, { sources, now });
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    if ('failure' in reply) throw new Error(reply.failure);
    return reply.judgement;
  }

  /** For good: whoever asks afterwards starts no process that would outlive this one. */
  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const { config, providerOptions, program = PROGRAM } = this.#options;
    const child = startChildProgram(program);
    this.#child = child;
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    child.send({ config, providerOptions } satisfies JudgeOpening, () => undefined);
    return child;
  }

  async #ask(child: ChildProcess, order: JudgeOrder): Promise<JudgeReply> {
    const { limitMs = LIMIT_MS } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<JudgeReply>();
    const fell = (code: number | null, killedBy: string | null) =>
      reject(new Error(`the process that judges rules ended with ${code ?? killedBy} before it answered`));
    const limit = setTimeout(() => {
      reject(new Error(`the rules were not judged within ${limitMs / 1_000} s`));
      this.#end();
    }, limitMs);
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', fell);
    child.channel?.ref();
    child.send(order, (error) => error && reject(error));
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
      child.channel?.unref();
      child.off('message', resolve).off('error', reject).off('exit', fell);
    }
  }
}
