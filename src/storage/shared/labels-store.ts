import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { compareTexts } from '../../lib/text.ts';
import type { LabelChanges, LabelStore, LabelSubject, NewLabel, Shown } from '../label-ports.ts';
import {
  anyOf,
  batchesOf,
  columnsOf,
  type Database,
  type HoldTable,
  isOfLabel,
  isOfSubjects,
} from './schema.ts';

/** Labels stored in one transaction: a service that waits for it to record a check still answers in time. */
const STORED_AT_ONCE = 10_000;
/** Between two transactions, for other processes that wait for the lock: SQLite tries at least every 100 ms (sqliteDefaultBusyCallback). */
const PAUSE_MS = 100;
/** Attempts at a transaction: a service under load commits without a pause, and may have the lock each time that SQLite tries. */
const TRIES = 10;
/** Subjects in one statement. */
const ROWS_AT_ONCE = 500;

export function labelStore(db: Database, hold: HoldTable): LabelStore {
  return {
    async put(accountId, labels, recordedAt, onProgress) {
      const outcomes: Outcome[] = [];
      for (const batch of batchesOf(inOrder(labels), STORED_AT_ONCE)) {
        if (outcomes.length > 0) await pause(PAUSE_MS);
        outcomes.push(...(await store(db, hold, accountId, batch, recordedAt)));
        onProgress?.(batch.length);
      }
      return countOf(outcomes);
    },

    async weigh(accountId, labels) {
      return countOf(await judge(db, accountId, inOrder(labels)));
    },

    async reach(accountId, subjects) {
      const counts = new Map<string, number>();
      for (const some of batchesOf(subjects, ROWS_AT_ONCE)) {
        for (const id of await liveChecks(db, accountId, some)) counts.set(id, 1);
        const people = await db
          .selectFrom('checks')
          .select(({ fn }) => ['addressHmac', fn.countAll<number>().as('checks')])
          .where('addressHmac', 'in', anyOf(some.map((subject) => columnsOf(subject).addressHmac ?? '')))
          .where('accountId', '=', accountId)
          .where('environment', '=', 'live')
          .groupBy('addressHmac')
          .execute();
        for (const { addressHmac, checks } of people) counts.set(String(addressHmac), Number(checks));
      }
      return subjects.map((subject) => counts.get(keyOf(subject)) ?? 0);
    },

    async list(accountId, limit) {
      let listed = db
        .selectFrom('labels')
        .select(['accountId', 'checkId', 'addressHmac', 'label', 'source', 'author', 'labelledAt'])
        .select(({ selectFrom }) =>
          selectFrom('checks')
            .select(({ fn }) => fn.countAll<number>().as('checks'))
            .where('checks.environment', '=', 'live')
            .where(isOfLabel)
            .as('checks'),
        )
        .orderBy('labelledAt', 'desc')
        .orderBy('checkId', 'desc')
        .orderBy('addressHmac', 'desc')
        .limit(limit);
      if (accountId !== undefined) listed = listed.where('accountId', '=', accountId);
      return (await listed.execute()).map(({ checkId, addressHmac, checks, ...label }) => ({
        ...label,
        subject: checkId === null ? { addressHmac: String(addressHmac) } : { checkId },
        checks: Number(checks),
      }));
    },

    async summarize(accountId) {
      const labels =
        accountId === undefined
          ? db.selectFrom('labels')
          : db.selectFrom('labels').where('labels.accountId', '=', accountId);
      const numbers = await labels
        .select(({ fn }) => ['label', fn.countAll<number>().as('labels')])
        .groupBy('label')
        .execute();
      const counts = new Map(numbers.map((row) => [row.label, Number(row.labels)]));
      // Two joins: one join with OR would look up each label by itself.
      const own = labels
        .innerJoin('checks', 'checks.id', 'labels.checkId')
        .where('checks.environment', '=', 'live')
        .select('checks.id');
      const ofPeople = labels
        .innerJoin('checks', (join) =>
          join
            .onRef('checks.addressHmac', '=', 'labels.addressHmac')
            .onRef('checks.accountId', '=', 'labels.accountId'),
        )
        .where('checks.environment', '=', 'live')
        .select('checks.id');
      const { checks } = await db
        .selectFrom(own.union(ofPeople).as('labelled'))
        .select(({ fn }) => fn.countAll<number>().as('checks'))
        .executeTakeFirstOrThrow();
      return { good: counts.get('good') ?? 0, bad: counts.get('bad') ?? 0, checks: Number(checks) };
    },

    remove: (accountId, subjects) =>
      db.transaction().execute(async (trx) => {
        await hold(trx, 'labels');
        let removed = 0;
        let left = 0;
        for (const some of batchesOf(subjects, ROWS_AT_ONCE)) {
          const before = await labelsOf(trx, accountId, some);
          const others = some.filter((subject) => !isOtherThan(subject, before.get(keyOf(subject))));
          const gone = await trx
            .deleteFrom('labels')
            .where(isOfSubjects(accountId, others))
            .executeTakeFirst();
          removed += Number(gone.numDeletedRows);
          left += some.length - others.length;
        }
        return { removed, left };
      }),

    async deleteIdle(recordedBefore, signal) {
      let deleted = 0;
      let last = '';
      while (!signal?.aborted) {
        const old = await db
          .selectFrom('labels')
          .select('addressHmac')
          .distinct()
          .where('addressHmac', '>', last)
          .where('recordedAt', '<', recordedBefore)
          .orderBy('addressHmac')
          .limit(ROWS_AT_ONCE)
          .execute();
        const people = old.flatMap(({ addressHmac }) => addressHmac ?? []);
        const end = people.at(-1);
        if (end === undefined) break;
        last = end;
        const gone = await db
          .deleteFrom('labels')
          .where('addressHmac', 'in', people)
          // A label that was put again meanwhile is not old any more.
          .where('recordedAt', '<', recordedBefore)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('checks').select('checks.id').where(isOfLabel))),
          )
          .executeTakeFirst();
        deleted += Number(gone.numDeletedRows);
      }
      return deleted;
    },
  };
}

type Outcome = keyof LabelChanges;

/** One transaction, tried again while another process holds the database. */
async function store(
  db: Database,
  hold: HoldTable,
  accountId: string,
  labels: readonly (NewLabel & Shown)[],
  recordedAt: string,
): Promise<readonly Outcome[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(async (trx) => {
        // A deletion of a check that is found below then waits for this transaction, and deletes the label too.
        await hold(trx, 'labels');
        return judge(trx, accountId, labels, (changed) => replace(trx, accountId, changed, recordedAt));
      });
    } catch (error) {
      const isHeld = error instanceof AppError && error.code === 'unavailable';
      if (!isHeld || tries === TRIES) throw error;
    }
  }
}

/** The outcome of storing each label, in the order of the labels; `put` stores those whose rows change. */
async function judge(
  db: Database,
  accountId: string,
  labels: readonly (NewLabel & Shown)[],
  put?: (changed: readonly NewLabel[]) => Promise<void>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const some of batchesOf(labels, ROWS_AT_ONCE)) {
    const subjects = some.map(({ subject }) => subject);
    const onRecord = await liveChecks(db, accountId, subjects);
    const before = await labelsOf(db, accountId, subjects);
    const changed: NewLabel[] = [];
    for (const label of some) {
      const key = keyOf(label.subject);
      const isAbsent = 'checkId' in label.subject && !onRecord.has(key);
      const old = before.get(key);
      const outcome = isAbsent ? 'absent' : outcomeOf(label, old);
      outcomes.push(outcome);
      // Given again at a later time: the later time is stored, so that no label given before it replaces this one afterwards.
      const isLater = outcome === 'same' && old !== undefined && label.labelledAt > old.labelledAt;
      if (outcome === 'added' || outcome === 'changed' || isLater) changed.push(label);
    }
    await put?.(changed);
  }
  return outcomes;
}

type Told = Pick<NewLabel, 'label' | 'labelledAt'>;

function outcomeOf({ label, labelledAt, was }: Told & Shown, old: Told | undefined): Outcome {
  if (old === undefined) return 'added';
  if (old.label === label) return 'same';
  return labelledAt < old.labelledAt || isOtherThan({ was }, old) ? 'older' : 'changed';
}

function isOtherThan({ was }: Shown, old: Told | undefined): boolean {
  return was !== undefined && old !== undefined && old.label !== was;
}

/** The labels that the subjects have. */
async function labelsOf(
  db: Database,
  accountId: string,
  subjects: readonly LabelSubject[],
): Promise<ReadonlyMap<string | null, Told>> {
  const stored = await db
    .selectFrom('labels')
    .select(['checkId', 'addressHmac', 'label', 'labelledAt'])
    .where(isOfSubjects(accountId, subjects))
    .execute();
  return new Map(stored.map((row) => [row.checkId ?? row.addressHmac, row]));
}

/** Puts labels in the place of those that their subjects have. */
async function replace(
  trx: Database,
  accountId: string,
  labels: readonly NewLabel[],
  recordedAt: string,
): Promise<void> {
  if (labels.length === 0) return;
  const subjects = labels.map(({ subject }) => subject);
  await trx.deleteFrom('labels').where(isOfSubjects(accountId, subjects)).execute();
  const rows = labels.map(({ subject, label, source, author, labelledAt }) => ({
    ...{ label, source, author, labelledAt },
    ...columnsOf(subject),
    accountId,
    recordedAt,
  }));
  await trx.insertInto('labels').values(rows).execute();
}

/** Which of the checks among the subjects are live ones on record in the account. */
async function liveChecks(
  db: Database,
  accountId: string,
  subjects: readonly LabelSubject[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('checks')
    .select('id')
    .where('id', 'in', anyOf(subjects.map((subject) => columnsOf(subject).checkId ?? '')))
    .where('accountId', '=', accountId)
    .where('environment', '=', 'live')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function keyOf(subject: LabelSubject): string {
  return 'checkId' in subject ? subject.checkId : subject.addressHmac;
}

/**
 * Sorts labels by subject, which is the order of the indexes: in another order each label would rewrite a page of its own.
 * Throws where a subject is twice among them.
 */
function inOrder(labels: Iterable<NewLabel & Shown>): readonly (NewLabel & Shown)[] {
  const ordered = [...labels].sort((a, b) => compareTexts(keyOf(a.subject), keyOf(b.subject)));
  for (const [place, { subject }] of ordered.entries()) {
    const next = ordered[place + 1];
    if (next !== undefined && keyOf(next.subject) === keyOf(subject)) {
      throw new Error(`constraint: ${keyOf(subject)} is twice among the labels`);
    }
  }
  return ordered;
}

function countOf(outcomes: readonly Outcome[]): LabelChanges {
  const changes = { added: 0, changed: 0, same: 0, older: 0, absent: 0 };
  for (const outcome of outcomes) changes[outcome] += 1;
  return changes;
}
