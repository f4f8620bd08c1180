import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hourOf, type Range } from '../../src/insights/hours.ts';
import { OverviewBuilder } from '../../src/insights/overview.ts';
import { CheckTallier, Tally } from '../../src/insights/tally.ts';
import type { NewCheck } from '../../src/storage/ports.ts';
import { checkOf, rowOf } from '../storage/rows.ts';
import { describeRecords, PROVIDER_OF } from './records.ts';

const BEGIN = Date.parse('2026-11-20T00:00:00Z');
/** Five hours, the last of which has not ended. */
const NOW = BEGIN + 4.5 * 3_600_000;
const instant = fc
  .integer({ min: BEGIN, max: BEGIN + 5 * 3_600_000 })
  .map((ms) => new Date(ms).toISOString());
const range = fc
  .tuple(instant, instant)
  .map(([a, b]): Range => (a < b ? { since: a, until: b } : { since: b, until: a }));

const check = fc.record({
  created_at: instant,
  account_id: fc.constantFrom('acc_1', 'acc_2'),
  environment: fc.constantFrom('live', 'live', 'test'),
  action: fc.constantFrom('ALLOW', 'BLOCK'),
  risk_score: fc.integer({ min: 0, max: 100 }),
  domain: fc.constantFrom('a.example', 'b.example', null),
  address_hmac: fc.constantFrom('aa', 'bb', 'cc', null),
  unknown: fc.constantFrom('{}', '{"domain.has_mx":"timeout"}', '{"other.fact":"error"}'),
  ledger: fc.constantFrom('[]', '[{"kind":"rule","points":7,"id":"some","group":"g","saw":{}}]'),
  timings: fc.integer({ min: 0, max: 99_999 }).map((us) => ({ mx: us })),
  duration_us: fc.option(fc.integer({ min: 0, max: 99_999 })),
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(check, { minLength: 1, maxLength: 12 }).map((rows) => ({ rows })) },
  { weight: 1, arbitrary: fc.constantFrom('aa', 'bb').map((forget) => ({ forget })) },
  { weight: 1, arbitrary: instant.map((deleteBefore) => ({ deleteBefore })) },
);

describeRecords('the counts of hours', (someRecords, driver) => {
  it('equal the records, whatever was recorded late, erased or deleted between two questions', async () => {
    const records = await someRecords(() => NOW);
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, range), { maxLength: 8 }), async (steps) => {
        await records.storage.checks.deleteBefore('2027');
        expect(await records.hours()).toEqual([]);
        let rows: readonly NewCheck[] = [];
        for (const [done, asked] of steps) {
          if ('rows' in done) {
            const added = done.rows.map((fields) => checkOf(`chk_${made++}`, fields));
            await records.add(...added);
            rows = [...rows, ...added];
          } else if ('forget' in done) {
            await records.storage.checks.forget({ addressHmac: done.forget });
            rows = rows.filter(({ address_hmac }) => address_hmac !== done.forget);
          } else {
            await records.storage.checks.deleteBefore(done.deleteBefore);
            rows = rows.filter(({ created_at }) => created_at >= done.deleteBefore);
          }
          const accountId = rows.length % 3 === 0 ? undefined : 'acc_1';
          const told = plain(rows, asked, accountId);
          const early = await records.ask('overview', { ...asked, accountId });
          if (early.counted_share === 1) expect(early).toEqual(told);
          else expect(early.checks + early.test_checks).toBeLessThan(told.checks + told.test_checks);
          await records.count();
          expect(await records.ask('overview', { ...asked, accountId })).toEqual(told);
        }
      }),
      // Partitions are made and dropped in each run there.
      { numRuns: driver === 'SQLite' ? 60 : 12 },
    );
  });
});

/** Counted from single checks, without stored counts. */
function plain(rows: readonly NewCheck[], { since, until }: Range, accountId: string | undefined) {
  const builder = new OverviewBuilder({ since, until });
  const tallier = new CheckTallier(PROVIDER_OF);
  for (const row of rows) {
    if (row.created_at < since || row.created_at >= until) continue;
    if (accountId !== undefined && row.account_id !== accountId) continue;
    const tally = new Tally();
    tallier.add(tally, rowOf(row));
    builder.add(hourOf(row.created_at), tally.write());
  }
  return builder.build(1);
}
