import type { ChildProcess } from 'node:child_process';
import { startChildProgram } from '../child-program.ts';
import type {
  BenchAnswer,
  BenchMethod,
  BenchOpening,
  BenchOrder,
  BenchReply,
  BenchRequest,
} from './bench-messages.ts';
import type { RuleBench } from './rule-bench.ts';

export interface ChildProcessBenchOptions extends BenchOpening {
  /** Another program, for tests of one that falls. */
  readonly program?: URL;
  readonly limitMs?: number;
}

/** Compiled beside this file: the signals room has decorators, which node cannot run from TypeScript. */
const PROGRAM = new URL('./bench.process.js', import.meta.url);
/** To read the records takes a second, to judge them half of one; whoever waits longer than this has gone. */
const LIMIT_MS = 60_000;
/** Kept while somebody works with it, then ended: with the records in it, it holds some 400 MB. */
const IDLE_MS = 300_000;
/** 100,000 checks are 70 MB of it, and large rule sets more. A process that would take all the memory ends instead. */
const HEAP = '--max-old-space-size=768';

interface Outstanding {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Works on rules in a process of its own, so that no request waits and what goes wrong there ends nothing else. Not in a worker, for the
 * reason that `updateInProcess` gives. Questions are answered side by side.
 */
export class ChildProcessBench implements RuleBench {
  readonly #options: ChildProcessBenchOptions;
  readonly #outstanding = new Map<number, Outstanding>();
  #child: ChildProcess | undefined;
  #lastId = 0;
  #isClosed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ChildProcessBenchOptions) {
    this.#options = options;
  }

  lint(files: BenchOrder<'lint'>): Promise<BenchAnswer<'lint'>> {
    return this.#ask('lint', files);
  }

  test(files: BenchOrder<'test'>): Promise<BenchAnswer<'test'>> {
    return this.#ask('test', files);
  }

  replay(order: BenchOrder<'replay'>, signal?: AbortSignal): Promise<BenchAnswer<'replay'>> {
    return this.#ask('replay', order, signal);
  }

  shadow(order: BenchOrder<'shadow'>): Promise<BenchAnswer<'shadow'>> {
    return this.#ask('shadow', order);
  }

  compare(order: BenchOrder<'compare'>): Promise<BenchAnswer<'compare'>> {
    return this.#ask('compare', order);
  }

  patch(order: BenchOrder<'patch'>): Promise<BenchAnswer<'patch'>> {
    return this.#ask('patch', order);
  }

  merge(order: BenchOrder<'merge'>): Promise<BenchAnswer<'merge'>> {
    return this.#ask('merge', order);
  }

  /** For good: whoever asks afterwards starts no process that would outlive this one. */
  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  async #ask<M extends BenchMethod>(
    method: M,
    order: BenchOrder<M>,
    signal?: AbortSignal,
  ): Promise<BenchAnswer<M>> {
    if (this.#isClosed) throw new Error('the bench for rules is closed');
    signal?.throwIfAborted();
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const giveUp = () => {
      send(child, { giveUp: id });
      reject(signal?.reason);
    };
    const { limitMs = LIMIT_MS } = this.#options;
    const limit = setTimeout(() => {
      reject(new Error(`the rules were not worked out within ${limitMs / 1_000} s`));
      this.#end();
    }, limitMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#outstanding.set(id, { resolve, reject });
    child.channel?.ref();
    send(child, { id, method, order });
    try {
      // The process answers with what the method returned, and methods return plain data.
      return (await promise) as BenchAnswer<M>;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', giveUp);
      this.#outstanding.delete(id);
      if (this.#outstanding.size === 0) this.#rest(child);
    }
  }

  #rest(child: ChildProcess): void {
    child.channel?.unref();
    clearTimeout(this.#idle);
    if (this.#child === child) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
  }

  #start(): ChildProcess {
    const { config, providerOptions, program = PROGRAM } = this.#options;
    const child = startChildProgram(program, [HEAP]);
    this.#child = child;
    child.on('message', (reply: BenchReply) => {
      const waiting = this.#outstanding.get(reply.id);
      if ('answer' in reply) waiting?.resolve(reply.answer);
      else waiting?.reject(new Error(reply.failure));
    });
    child.once('exit', (code, killedBy) => this.#fall(child, code ?? killedBy));
    send(child, { open: { config, providerOptions } });
    return child;
  }

  #fall(child: ChildProcess, how: unknown): void {
    // One that was ended has told its own already, and those that wait now ask another.
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#rejectAll(`the process that works on rules ended with ${how} before it answered`);
  }

  #end(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
    this.#rejectAll('the process that works on rules was ended before it answered');
  }

  #rejectAll(message: string): void {
    for (const { reject } of this.#outstanding.values()) reject(new Error(message));
  }
}

/** What cannot be sent is told by the exit of the one that it was for. */
function send(child: ChildProcess, message: BenchRequest): void {
  child.send(message, () => undefined);
}
