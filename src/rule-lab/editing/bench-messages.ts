import type { Config } from '../../app/config/config.ts';
import type { GiveUp } from '../../jobs/child-dialogue.ts';
import type { RuleJobs } from './rule-jobs.ts';

/** What a working process needs to know, once. */
export interface BenchOpening {
  readonly config: Config;
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What it may be asked: the methods of a bench. */
export type BenchMethod = Exclude<keyof RuleJobs, 'close'>;
export type BenchOrder<M extends BenchMethod = BenchMethod> = Parameters<RuleJobs[M]>[0];
export type BenchAnswer<M extends BenchMethod = BenchMethod> = Awaited<ReturnType<RuleJobs[M]>>;

export interface OrderedWork {
  readonly method: BenchMethod;
  readonly order: unknown;
}

/** First the opening, then one order after the other; one may be given up. */
export type BenchRequest = BenchOpening | OrderedWork | GiveUp;
export type BenchReply = { readonly answer: unknown } | { readonly failure: string };
