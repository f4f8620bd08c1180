import type { Config } from '../config/config.ts';
import type { RuleBench } from './rule-bench.ts';

/** What a working process needs to know, once. */
export interface BenchOpening {
  readonly config: Config;
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What it may be asked: the methods of a bench. */
export type BenchMethod = Exclude<keyof RuleBench, 'close'>;
export type BenchOrder<M extends BenchMethod = BenchMethod> = Parameters<RuleBench[M]>[0];
export type BenchAnswer<M extends BenchMethod = BenchMethod> = Awaited<ReturnType<RuleBench[M]>>;

export type BenchRequest =
  | { readonly open: BenchOpening }
  | { readonly id: number; readonly method: BenchMethod; readonly order: unknown }
  /** Nobody waits for that one any more. */
  | { readonly giveUp: number };

export type BenchReply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };
