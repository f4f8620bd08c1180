import type { Assessor, World } from '../../checks/assessor.ts';
import { readAddress } from '../../email/read-address.ts';
import { linesOfCsv } from '../../lib/csv-lines.ts';
import { type Format, RowFaults } from '../../lib/row-file.ts';
import { counted, whole } from '../../lib/statistics.ts';
import type { Action, Level } from '../../rules/decision.ts';
import type { InputRow, SimulatedCounting } from './input-rows.ts';

const NO_OUTCOME = {
  action: null as Action | null,
  risk_score: null as number | null,
  risk_level: null as Level | null,
  canonical: null as string | null,
  /** Providers that tried and failed. */
  degraded: [] as readonly string[],
  /** Why there is no answer: a fault of the address, `missing_email`, `broken_line`, or a fault of the row's time. */
  fault: null as string | null,
  /** Where in the address, in code points from 0. */
  position: null as number | null,
};

/** What is added to each row, counted facts among it; with the names that leave the process. */
export type Outcome = Readonly<typeof NO_OUTCOME & Record<string, unknown>>;

/** Counts rows as checks, and shows these facts of them. */
export interface Simulation {
  readonly counting: SimulatedCounting;
  readonly facts: readonly string[];
}

/** Never rejects for the content of the row. */
export async function assessRow(
  assessor: Assessor,
  world: World,
  row: InputRow,
  simulation?: Simulation,
): Promise<Outcome> {
  if (row.broken !== null) return { ...NO_OUTCOME, fault: 'broken_line' };
  if (row.email === null) return { ...NO_OUTCOME, fault: 'missing_email' };
  // Read here too, so that a text that is no address costs no exception: a file may be full of them.
  const reading = readAddress(row.email);
  if (!reading.ok) {
    return { ...NO_OUTCOME, fault: reading.refusal.code, position: reading.refusal.position };
  }
  const place = simulation?.counting.begin(row.time);
  if (typeof place === 'string') return { ...NO_OUTCOME, fault: place };
  const assessment = await assessor.assess(row.email, world, place).finally(() => place?.end());
  const { action, score, level } = assessment.decision;
  const { facts, degraded } = assessment.signals;
  return {
    ...NO_OUTCOME,
    action,
    risk_score: score,
    risk_level: level,
    canonical: assessment.address.canonical.address,
    degraded,
    ...Object.fromEntries(simulation?.facts.map((id) => [id, facts[id]]) ?? []),
  };
}

/** Counts what a file held, for the lines at the end. */
export class Tally {
  rows = 0;
  blocked = 0;
  /** Rows without an answer: broken lines, rows without an address or with a wrong one, and faults of a row's time. */
  unparseable = 0;
  degraded = 0;
  /** Rows without a time, or with one before that of an earlier row. */
  untimed = 0;
  readonly #broken = new RowFaults();

  count({ line, broken }: InputRow, { action, fault, degraded }: Outcome): void {
    this.rows += 1;
    if (action === 'BLOCK') this.blocked += 1;
    if (fault !== null) this.unparseable += 1;
    if (degraded.length > 0) this.degraded += 1;
    if (fault === 'no_time' || fault === 'time_goes_back') this.untimed += 1;
    if (broken !== null) this.#broken.add(line, broken);
  }

  /** `users.csv:17 …` for broken lines, then the sums. */
  lines(name: string, tookMs: number): readonly string[] {
    return [
      ...this.#broken.describe(name),
      [
        `${counted(this.rows, 'row')}: ${whole(this.blocked)} BLOCK`,
        `${whole(this.unparseable)} unparseable (${counted(this.#broken.count, 'broken line')})`,
        ...(this.degraded > 0 ? [`${whole(this.degraded)} degraded`] : []),
        `${(tookMs / 1000).toFixed(1)} s`,
      ].join(', '),
    ];
  }
}

/**
 * Makes the text of an answer, row by row. The columns that Postern adds keep their names, so that scripts find them; a column of the
 * file that has one of these names is renamed (`input_…`).
 */
export function createRowWriter(
  format: Format,
  columns: readonly string[],
  delimiter: string,
  countedFacts: readonly string[] = [],
) {
  const ours = [...Object.keys(NO_OUTCOME), ...countedFacts];
  if (format === 'csv') return csvWriter(columns, ours, delimiter);
  const row = (given: InputRow, outcome: Outcome) => jsonLine(given, ours, outcome);
  return { head: '', leftOut: 0, row };
}

function csvWriter(columns: readonly string[], ours: readonly string[], delimiter: string) {
  const line = (cells: readonly string[]) => linesOfCsv([cells], delimiter);
  const head = [...renamed(columns, ours).values(), ...ours];
  const known = new Set(columns);
  let leftOut = 0;
  return {
    /** Above the rows; empty where there is none. */
    head: columns.length === 0 ? '' : line(head),
    /** Number of rows with a member that the first row does not have: there is no column for it. */
    get leftOut() {
      return leftOut;
    },
    row: ({ values }: InputRow, outcome: Outcome) => {
      if (Object.keys(values).some((name) => !known.has(name))) leftOut += 1;
      return line([
        ...columns.map((column) => cellOf(Object.hasOwn(values, column) ? values[column] : null)),
        ...ours.map((column) => cellOf(outcome[column])),
      ]);
    },
  };
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  // Ids of providers, which have no blanks.
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ');
  return JSON.stringify(value);
}

function jsonLine({ values }: InputRow, ours: readonly string[], outcome: Outcome): string {
  const names = renamed(Object.keys(values), ours);
  const kept = Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]);
  const added = ours.map((column) => [column, outcome[column] ?? null]);
  return `${JSON.stringify(Object.fromEntries([...kept, ...added]))}\n`;
}

/** By name: what each column is called in the answer. */
function renamed(columns: readonly string[], ours: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>([...columns, ...ours]);
  return new Map(
    columns.map((column) => {
      if (!ours.includes(column)) return [column, column];
      let free = column;
      while (taken.has(free)) free = `input_${free}`;
      taken.add(free);
      return [column, free];
    }),
  );
}
