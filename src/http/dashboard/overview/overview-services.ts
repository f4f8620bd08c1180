import { inject, injectable } from '../../../di.ts';
import { INSIGHTS, type InsightsQueries } from '../../../insights/insights-queries.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { askInsights, type Reader } from '../ask-insights.ts';
import { type AskedRange, readRange } from '../asked-range.ts';
import { presentOverview, presentUsage } from './overview.presenter.ts';

/** What the endpoints of figures are handled with. */
@injectable()
export class OverviewServices {
  readonly #insights: InsightsQueries;
  readonly #clock: Clock;

  constructor(@inject(INSIGHTS) insights: InsightsQueries, @inject(CLOCK) clock: Clock) {
    this.#insights = insights;
    this.#clock = clock;
  }

  /** Of all accounts, where none is named. */
  async overview(asked: AskedRange, accountId: string | undefined, reader: Reader) {
    const range = readRange(asked, this.#clock.now());
    return presentOverview(await askInsights(this.#insights, 'overview', { accountId, ...range }, reader));
  }

  async usage(asked: AskedRange, accountId: string | undefined, reader: Reader) {
    const range = readRange(asked, this.#clock.now());
    return presentUsage(range, await askInsights(this.#insights, 'usage', { accountId, ...range }, reader));
  }
}
