import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { LABELS } from '../../labels/label.ts';
import { compareTexts } from '../../lib/text.ts';
import type {
  LabelChanges,
  LabelStore,
  LabelSubject,
  LabelSummary,
  NewLabel,
  StoredLabel,
} from '../label-ports.ts';
import { anyOf, type Database, type NewRow, type Row } from './schema.ts';

/** Labels of a transaction: a service that waits for it to record a check has its answer in time. */
const STORED_AT_ONCE = 10_000;
/** Between two transactions, for others who wait for the lock: SQLite looks again after 100 ms at the latest (sqliteDefaultBusyCallback). */
const PAUSE_MS = 100;
/** Of a transaction: a service under load, which commits without a pause, may have the lock each time that SQLite looks. */
const TRIES = 10;
/** Subjects of a statement. */
const ROWS_AT_ONCE = 500;

const NONE: LabelChanges = { added: 0, changed: 0, same: 0, older: 0, absent: 0 };

export class LabelsStore implements LabelStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async put(
    accountId: string,
    labels: Iterable<NewLabel>,
    recordedAt: string,
    onProgress?: (labelsMore: number) => void,
  ): Promise<LabelChanges> {
    let changes = NONE;
    for (const [number, batch] of batchesOf(inOrder(labels), STORED_AT_ONCE).entries()) {
      if (number > 0) await pause(PAUSE_MS);
      changes = sumOf(changes, await this.#store(accountId, batch, recordedAt));
      onProgress?.(batch.length);
    }
    return changes;
  }

  async weigh(accountId: string, labels: Iterable<NewLabel>): Promise<LabelChanges> {
    let changes = NONE;
    for (const some of batchesOf(inOrder(labels), ROWS_AT_ONCE)) {
      changes = sumOf(changes, (await judge(this.#db, accountId, some)).changes);
    }
    return changes;
  }

  async reach(accountId: string, subjects: readonly LabelSubject[]): Promise<readonly number[]> {
    const counts = new Map<string, number>();
    for (const some of batchesOf(subjects, ROWS_AT_ONCE)) {
      for (const id of await liveChecks(this.#db, accountId, some)) counts.set(id, 1);
      const people = some.flatMap((subject) => ('addressHmac' in subject ? [subject.addressHmac] : []));
      for (const { hmac, checks } of await this.#countsOf(people, accountId)) counts.set(hmac, checks);
    }
    return subjects.map((subject) => counts.get(keyOf(subject)) ?? 0);
  }

  async list(accountId: string | undefined, limit: number): Promise<readonly StoredLabel[]> {
    let listed = this.#db
      .selectFrom('labels')
      .leftJoin('checks', (join) =>
        join.onRef('checks.id', '=', 'labels.check_id').on('checks.environment', '=', 'live'),
      )
      .selectAll('labels')
      .select('checks.id as live_check')
      .orderBy('labels.labelled_at', 'desc')
      .orderBy('labels.check_id', 'desc')
      .orderBy('labels.address_hmac', 'desc')
      .limit(limit);
    if (accountId !== undefined) listed = listed.where('labels.account_id', '=', accountId);
    const rows = await listed.execute();
    const counts = new Map<string, number>();
    for (const some of batchesOf(rows, ROWS_AT_ONCE)) {
      const people = some.flatMap(({ address_hmac }) => (address_hmac === null ? [] : [address_hmac]));
      for (const found of await this.#countsOf(people)) {
        counts.set(`${found.hmac} ${found.account}`, found.checks);
      }
    }
    return rows.map((row) =>
      toLabel(row, row.live_check === null ? (counts.get(`${row.address_hmac} ${row.account_id}`) ?? 0) : 1),
    );
  }

  async summarize(accountId?: string): Promise<LabelSummary> {
    let labels = this.#db
      .selectFrom('labels')
      .select(({ fn }) => ['label', fn.countAll<number>().as('labels')])
      .groupBy('label');
    if (accountId !== undefined) labels = labels.where('account_id', '=', accountId);
    const counts = new Map((await labels.execute()).map((row) => [row.label, Number(row.labels)]));
    const checks = (await this.#labelledAlone(accountId)) + (await this.#labelledByPerson(accountId));
    return { good: counts.get('good') ?? 0, bad: counts.get('bad') ?? 0, checks };
  }

  async remove(accountId: string, subject: LabelSubject): Promise<boolean> {
    const removed = await this.#db
      .deleteFrom('labels')
      .where('account_id', '=', accountId)
      .where('checkId' in subject ? 'check_id' : 'address_hmac', '=', keyOf(subject))
      .executeTakeFirst();
    return removed.numDeletedRows > 0n;
  }

  async deleteIdle(recordedBefore: string, signal?: AbortSignal): Promise<number> {
    let deleted = 0;
    let last = '';
    while (!signal?.aborted) {
      const old = await this.#db
        .selectFrom('labels')
        .select('address_hmac')
        .distinct()
        .where('address_hmac', '>', last)
        .where('recorded_at', '<', recordedBefore)
        .orderBy('address_hmac')
        .limit(ROWS_AT_ONCE)
        .execute();
      const people = old.flatMap(({ address_hmac }) => (address_hmac === null ? [] : [address_hmac]));
      const end = people.at(-1);
      if (end === undefined) break;
      last = end;
      const gone = await this.#db
        .deleteFrom('labels')
        .where('address_hmac', 'in', people)
        // One that was put again meanwhile is not old any more.
        .where('recorded_at', '<', recordedBefore)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('checks')
                .select('checks.id')
                .whereRef('checks.address_hmac', '=', 'labels.address_hmac')
                .whereRef('checks.account_id', '=', 'labels.account_id'),
            ),
          ),
        )
        .executeTakeFirst();
      deleted += Number(gone.numDeletedRows);
    }
    return deleted;
  }

  /** Live checks with a label of their own. */
  async #labelledAlone(accountId?: string): Promise<number> {
    let labelled = this.#db
      .selectFrom('labels')
      .innerJoin('checks', 'checks.id', 'labels.check_id')
      .select(({ fn }) => fn.countAll<number>().as('checks'))
      .where('checks.environment', '=', 'live');
    if (accountId !== undefined) labelled = labelled.where('labels.account_id', '=', accountId);
    return Number((await labelled.executeTakeFirstOrThrow()).checks);
  }

  /** Live checks that have only their person's. */
  async #labelledByPerson(accountId?: string): Promise<number> {
    let labelled = this.#db
      .selectFrom('labels')
      .innerJoin('checks', (join) =>
        join
          .onRef('checks.address_hmac', '=', 'labels.address_hmac')
          .onRef('checks.account_id', '=', 'labels.account_id'),
      )
      .leftJoin('labels as own', 'own.check_id', 'checks.id')
      .select(({ fn }) => fn.countAll<number>().as('checks'))
      .where('checks.environment', '=', 'live')
      .where('own.check_id', 'is', null);
    if (accountId !== undefined) labelled = labelled.where('labels.account_id', '=', accountId);
    return Number((await labelled.executeTakeFirstOrThrow()).checks);
  }

  async #store(accountId: string, labels: readonly NewLabel[], recordedAt: string): Promise<LabelChanges> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#db.transaction().execute(async (trx) => {
          let changes = NONE;
          for (const some of batchesOf(labels, ROWS_AT_ONCE)) {
            const judged = await judge(trx, accountId, some);
            await write(trx, accountId, judged.toStore, recordedAt);
            changes = sumOf(changes, judged.changes);
          }
          return changes;
        });
      } catch (error) {
        const isHeld = error instanceof AppError && error.code === 'unavailable';
        if (!isHeld || tries === TRIES) throw error;
      }
    }
  }

  /** Live checks of people, who has none left out; of all accounts when none is named. */
  async #countsOf(people: readonly string[], accountId?: string) {
    if (people.length === 0) return [];
    let counted = this.#db
      .selectFrom('checks')
      .select(({ fn }) => [
        'address_hmac as hmac',
        'account_id as account',
        fn.countAll<number>().as('checks'),
      ])
      .where('address_hmac', 'in', people)
      .where('environment', '=', 'live')
      .groupBy(['address_hmac', 'account_id']);
    if (accountId !== undefined) counted = counted.where('account_id', '=', accountId);
    const rows = await counted.execute();
    return rows.map(({ hmac, account, checks }) => ({ hmac: String(hmac), account, checks: Number(checks) }));
  }
}

/** What storing the labels would do, and those that change a row. */
async function judge(db: Database, accountId: string, labels: readonly NewLabel[]) {
  const subjects = labels.map(({ subject }) => subject);
  const onRecord = await liveChecks(db, accountId, subjects);
  const [checks, people] = [keysOf(subjects, 'checkId'), keysOf(subjects, 'addressHmac')];
  const stored = await db
    .selectFrom('labels')
    .select(['check_id', 'address_hmac', 'label', 'labelled_at'])
    .where('account_id', '=', accountId)
    .where((of) => of.or([of('check_id', 'in', anyOf(checks)), of('address_hmac', 'in', anyOf(people))]))
    .execute();
  const before = new Map(stored.map((row) => [row.check_id ?? row.address_hmac ?? '', row]));
  const changes = { ...NONE } as { -readonly [Outcome in keyof LabelChanges]: number };
  const toStore: NewLabel[] = [];
  for (const label of labels) {
    const key = keyOf(label.subject);
    const old = before.get(key);
    const isAbsent = 'checkId' in label.subject && !onRecord.has(key);
    const isLater = old === undefined || label.labelledAt > old.labelled_at;
    const isSame = old?.label === label.label;
    const outcome = isAbsent
      ? 'absent'
      : old === undefined
        ? 'added'
        : isSame
          ? 'same'
          : label.labelledAt < old.labelled_at
            ? 'older'
            : 'changed';
    changes[outcome] += 1;
    // Told again at a later time: the label stays, the time is stored, so that nothing told before it wins later.
    if (outcome === 'added' || outcome === 'changed' || (outcome === 'same' && isLater)) toStore.push(label);
  }
  return { changes: changes as LabelChanges, toStore };
}

async function write(
  trx: Database,
  accountId: string,
  labels: readonly NewLabel[],
  recordedAt: string,
): Promise<void> {
  const rows = labels.map((label): NewRow<'labels'> => {
    const { subject, source, author, labelledAt } = label;
    return {
      account_id: accountId,
      check_id: 'checkId' in subject ? subject.checkId : null,
      address_hmac: 'addressHmac' in subject ? subject.addressHmac : null,
      ...{ label: label.label, source, author, labelled_at: labelledAt, recorded_at: recordedAt },
    };
  });
  const [ofChecks, ofPeople] = [rows.filter((row) => row.check_id), rows.filter((row) => row.address_hmac)];
  const doomed = ofChecks.map(({ check_id }) => String(check_id));
  const replaced = ofPeople.map(({ address_hmac }) => String(address_hmac));
  await trx
    .deleteFrom('labels')
    .where('account_id', '=', accountId)
    .where((of) => of.or([of('check_id', 'in', anyOf(doomed)), of('address_hmac', 'in', anyOf(replaced))]))
    .execute();
  if (rows.length > 0) await trx.insertInto('labels').values(rows).execute();
}

/** Which of the checks are live ones on record in the account. */
async function liveChecks(
  db: Database,
  accountId: string,
  subjects: readonly LabelSubject[],
): Promise<ReadonlySet<string>> {
  const wanted = keysOf(subjects, 'checkId');
  if (wanted.length === 0) return new Set();
  const rows = await db
    .selectFrom('checks')
    .select('id')
    .where('id', 'in', wanted)
    .where('account_id', '=', accountId)
    .where('environment', '=', 'live')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function keyOf(subject: LabelSubject): string {
  return 'checkId' in subject ? subject.checkId : subject.addressHmac;
}

function keysOf(subjects: readonly LabelSubject[], kind: 'checkId' | 'addressHmac'): readonly string[] {
  return subjects.filter((subject) => kind in subject).map(keyOf);
}

/**
 * In the order of subjects, which is that of the indexes: in another one each label would rewrite a page of its own. Throws
 * where a subject is twice among them.
 */
function inOrder(labels: Iterable<NewLabel>): readonly NewLabel[] {
  const ordered = [...labels].sort((a, b) => compareTexts(keyOf(a.subject), keyOf(b.subject)));
  for (const [place, { subject }] of ordered.entries()) {
    const next = ordered[place + 1];
    if (next !== undefined && keyOf(next.subject) === keyOf(subject)) {
      throw new Error(`constraint: ${keyOf(subject)} is twice among the labels`);
    }
  }
  return ordered;
}

function batchesOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, number) =>
    items.slice(number * size, (number + 1) * size),
  );
}

function sumOf(a: LabelChanges, b: LabelChanges): LabelChanges {
  return {
    added: a.added + b.added,
    changed: a.changed + b.changed,
    same: a.same + b.same,
    older: a.older + b.older,
    absent: a.absent + b.absent,
  };
}

function toLabel(row: Row<'labels'>, checks: number): StoredLabel {
  const label = LABELS.find((known) => known === row.label);
  if (label === undefined) throw new Error(`a label is "${row.label}"`);
  return {
    accountId: row.account_id,
    subject: row.check_id === null ? { addressHmac: row.address_hmac ?? '' } : { checkId: row.check_id },
    label,
    source: row.source,
    author: row.author,
    labelledAt: row.labelled_at,
    checks,
  };
}
