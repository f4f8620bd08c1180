import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LabelSubject } from '../../src/storage/label-ports.ts';
import type { NewCheck, Storage } from '../../src/storage/ports.ts';
import { describeDrivers } from './drivers.ts';
import { accountOf, checkOf } from './rows.ts';

const ACCOUNTS = ['acc_1', 'acc_2'] as const;
const PEOPLE = ['aa', 'bb', 'cc'] as const;
const DAY_MS = 86_400_000;
/** Times within six weeks. */
const DAYS = 42;
const instantOf = (day: number) =>
  new Date(Date.parse('2026-10-01T00:00:00.000Z') + day * DAY_MS).toISOString();

const account = fc.constantFrom(...ACCOUNTS);
const person = fc.constantFrom(...PEOPLE);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('append' as const),
      checks: fc.array(
        fc.record({ account, person: fc.option(person), day: fc.nat(DAYS), isLive: fc.boolean() }),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('label check' as const), account, number: fc.nat(15) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('label person' as const), account, person }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete before' as const), day: fc.nat(DAYS) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('forget' as const), person }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete idle' as const) }) },
);

/** The expected state of checks and labels after each step. */
class Model {
  checks: NewCheck[] = [];
  labels: { readonly account: string; readonly subject: LabelSubject }[] = [];

  has(one: string, subject: LabelSubject): boolean {
    return this.labels.some((label) => label.account === one && keyOf(label.subject) === keyOf(subject));
  }

  isOf({ account: one, subject }: Model['labels'][number], check: NewCheck): boolean {
    if ('checkId' in subject) return subject.checkId === check.id;
    return subject.addressHmac === check.address_hmac && one === check.account_id;
  }

  remove(isDoomed: (check: NewCheck) => boolean): number {
    const gone = new Set(this.checks.filter(isDoomed).map(({ id }) => id));
    this.checks = this.checks.filter(({ id }) => !gone.has(id));
    this.labels = this.labels.filter(({ subject }) => !('checkId' in subject && gone.has(subject.checkId)));
    return gone.size;
  }
}

const keyOf = (subject: LabelSubject) => Object.values(subject)[0];
const label = (subject: LabelSubject) => ({
  ...{ subject, label: 'bad' as const, source: 'test', author: null, labelledAt: instantOf(0) },
});

describeDrivers('checks and labels', (open) => {
  it('equal a model after any steps', async () => {
    let number = 0;
    const storage: Storage = await open();
    for (const id of ACCOUNTS) await storage.accounts.create(accountOf(id));

    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 5, maxLength: 20, size: 'max' }), async (steps) => {
          const model = new Model();
          const first = number;
          for (const taken of steps) {
            if (taken.what === 'append') {
              const checks = taken.checks.map(({ day, isLive, ...check }) =>
                checkOf(`chk_${String(number++).padStart(6, '0')}`, {
                  ...{ account_id: check.account, address_hmac: check.person },
                  ...{ created_at: instantOf(day), environment: isLive ? 'live' : 'test' },
                }),
              );
              await Promise.all(checks.map((check) => storage.checks.append(check)));
              model.checks.push(...checks);
            } else if (taken.what === 'delete before') {
              const before = instantOf(taken.day);
              const gone = model.remove(({ created_at }) => created_at < before);
              expect(await storage.checks.deleteBefore(before)).toBe(gone);
            } else if (taken.what === 'forget') {
              const labels = model.labels.filter(
                (given) =>
                  ('addressHmac' in given.subject && given.subject.addressHmac === taken.person) ||
                  model.checks.some(
                    (check) =>
                      check.address_hmac === taken.person &&
                      'checkId' in given.subject &&
                      model.isOf(given, check),
                  ),
              );
              model.labels = model.labels.filter((given) => !labels.includes(given));
              const checks = model.remove(({ address_hmac }) => address_hmac === taken.person);
              const forgotten = await storage.checks.forget({ addressHmac: taken.person });
              expect(forgotten).toEqual({ checks, labels: labels.length });
            } else if (taken.what === 'delete idle') {
              const idle = model.labels.filter(
                (given) =>
                  'addressHmac' in given.subject && !model.checks.some((check) => model.isOf(given, check)),
              );
              model.labels = model.labels.filter((given) => !idle.includes(given));
              expect(await storage.labels.deleteIdle(instantOf(DAYS))).toBe(idle.length);
            } else {
              const subject =
                taken.what === 'label person'
                  ? { addressHmac: taken.person }
                  : { checkId: `chk_${String(first + taken.number).padStart(6, '0')}` };
              const isThere =
                'addressHmac' in subject ||
                model.checks.some(
                  (check) =>
                    check.id === subject.checkId &&
                    check.account_id === taken.account &&
                    check.environment === 'live',
                );
              const isNew = isThere && !model.has(taken.account, subject);
              const { added } = await storage.labels.put(taken.account, [label(subject)], instantOf(1));
              expect(added).toBe(isNew ? 1 : 0);
              if (isNew) model.labels.push({ account: taken.account, subject });
            }
          }
          await isAs(model, storage);
        })
        .afterEach(async () => {
          await storage.checks.deleteBefore('9999');
          await storage.labels.deleteIdle('9999');
        }),
      { numRuns: 20 },
    );
  });
});

async function isAs(model: Model, storage: Storage): Promise<void> {
  const live = model.checks.filter(({ environment }) => environment === 'live');
  const found: (readonly [string, string | null])[] = [];
  for await (const page of storage.checks.pages({}))
    found.push(...page.map(({ id, label: own }) => [id, own] as const));
  const inOrder = live.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1));
  const labelOf = (check: NewCheck) =>
    model.labels.some((given) => model.isOf(given, check)) ? 'bad' : null;
  expect(found).toEqual(inOrder.map((check) => [check.id, labelOf(check)]));
  for (const { id, created_at } of model.checks)
    expect((await storage.checks.find(id))?.created_at).toBe(created_at);
  expect(await storage.checks.countBefore('9999', 1_000)).toBe(model.checks.length);
  const listed = await storage.labels.list(undefined, 1_000);
  const told = listed.map(({ accountId, subject, checks }) => `${accountId} ${keyOf(subject)} ${checks}`);
  const wanted = model.labels.map(
    (given) =>
      `${given.account} ${keyOf(given.subject)} ${live.filter((check) => model.isOf(given, check)).length}`,
  );
  expect(told.toSorted()).toEqual(wanted.toSorted());
  const { good, bad, checks } = await storage.labels.summarize();
  expect([good, bad, checks]).toEqual([0, model.labels.length, live.filter(labelOf).length]);
}
