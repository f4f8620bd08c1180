import { StartupError } from '../errors.ts';
import { digestOf, filesOf } from '../rules/rule-files.ts';
import { readRuleSources } from '../rules/rule-sources.ts';
import type { PolicyBook } from './policy-book.ts';
import { type ReadingTools, readWhole } from './read-whole.ts';

/** Brings what lies in `rules.challenger_dir` beside the rules in force when it is whole and good. */
export class ChallengerKeeper {
  readonly #dir: string;
  readonly #policies: Pick<PolicyBook, 'takeChallenger'>;
  /** The files that were taken, or refused, last. */
  #seen: string | undefined;

  constructor(dir: string, policies: Pick<PolicyBook, 'takeChallenger'>) {
    this.#dir = dir;
    this.#policies = policies;
  }

  /** The start has read them just now. */
  async begin(): Promise<void> {
    const sources = await readRuleSources(this.#dir).catch(() => undefined);
    this.#seen = sources && digestOf(filesOf(sources));
  }

  async load(tools: Omit<ReadingTools, 'isKnown'>, reason: 'change' | 'sighup'): Promise<void> {
    const isKnown = (digest: string) => reason === 'change' && digest === this.#seen;
    const reading = await readWhole(this.#dir, { ...tools, isKnown });
    if (reading.is === 'known' || tools.isClosed()) return;
    this.#seen = reading.digest ?? undefined;
    await this.#policies.takeChallenger(async () => {
      if (reading.is === 'bad') throw new StartupError(reading.faults);
      return reading.rules.definitions;
    });
  }
}
