import type { SQLInputValue } from 'node:sqlite';
import { CHECKS_BY_BLOCK, startAs } from '../../storage/sqlite/checks-of-person.ts';
import type { CheckFilter } from '../questions.ts';

export interface Conditions {
  readonly sql: readonly string[];
  readonly parameters: readonly SQLInputValue[];
}

/** Of rows named `c`, with the labels `own` and `person` beside them. */
export interface CheckConditions {
  /** The table, as `FROM` has it. */
  readonly table: string;
  /** These find the rows by an index: by id, by address, or by time. */
  readonly finding: Conditions;
  /** These are looked at in each row. */
  readonly sifting: Conditions;
  /** Whether there is one row at most. */
  readonly isOfOne: boolean;
}

type Pair = readonly [sql: string, ...values: SQLInputValue[]];

export function conditionsOf(filter: CheckFilter): CheckConditions {
  const { id, addressHmac } = filter;
  const sifting = [...byAddress(addressHmac), ...byContent(filter)];
  if (id !== undefined) {
    return {
      table: 'check_rows c',
      finding: gather([pair('c.id = ?', id)]),
      sifting: gather([...byTime('+c', filter), ...sifting]),
      isOfOne: true,
    };
  }
  const ofPerson = addressHmac === undefined ? [] : [pair(startAs('?'), addressHmac)];
  return {
    table: addressHmac === undefined ? 'check_rows c' : CHECKS_BY_BLOCK,
    finding: gather([...ofPerson, ...byTime('c', filter)]),
    sifting: gather(sifting),
    isOfOne: false,
  };
}

/** The plus keeps SQLite from an index on the column: another one finds less. */
function byTime(c: 'c' | '+c', { accountId, since, until }: CheckFilter): readonly Pair[] {
  return [
    ...(accountId === undefined ? [] : [pair(`${c}.account_id = ?`, accountId)]),
    ...(since === undefined ? [] : [pair(`${c}.created_at >= ?`, since)]),
    ...(until === undefined ? [] : [pair(`${c}.created_at < ?`, until)]),
  ];
}

function byAddress(addressHmac: string | undefined): readonly Pair[] {
  return addressHmac === undefined ? [] : [pair('c.address_hmac = ?', addressHmac)];
}

function byContent(filter: CheckFilter): readonly Pair[] {
  const { domain, rule, label, minScore, maxScore } = filter;
  return [
    ...equal('c.key_id', filter.keyId),
    ...equal('c.action', filter.action),
    ...equal('c.risk_level', filter.level),
    ...equal('c.environment', filter.environment),
    ...equal('c.ruleset', filter.ruleset),
    ...(minScore === undefined ? [] : [pair('c.risk_score >= ?', minScore)]),
    ...(maxScore === undefined ? [] : [pair('c.risk_score <= ?', maxScore)]),
    ...(domain === undefined ? [] : [ofDomain(domain)]),
    // Rules that stood aside are named in a ledger too: whoever reads the rows makes sure.
    ...(rule === undefined
      ? []
      : [pair('instr(c.ledger, ?) > 0', JSON.stringify({ id: rule }).slice(1, -1))]),
    ...(label === undefined ? [] : [ofLabel(label)]),
  ];
}

/** `.example.org` is all below `example.org`, as in the lists. */
function ofDomain(domain: string): Pair {
  return domain.startsWith('.')
    ? pair('substr(c.domain, -length(?)) = ?', domain, domain)
    : pair('c.domain = ?', domain);
}

function ofLabel(label: NonNullable<CheckFilter['label']>): Pair {
  return label === 'none'
    ? pair('coalesce(own.label, person.label) IS NULL')
    : pair('coalesce(own.label, person.label) = ?', label);
}

function equal(column: string, value: string | undefined): readonly Pair[] {
  return value === undefined ? [] : [pair(`${column} = ?`, value)];
}

function pair(sql: string, ...values: readonly SQLInputValue[]): Pair {
  return [sql, ...values];
}

function gather(pairs: readonly Pair[]): Conditions {
  return { sql: pairs.map(([sql]) => sql), parameters: pairs.flatMap(([, ...values]) => values) };
}
