import type { CheckRecord, RecordedChallenge } from '../../checks/check-record.ts';
import { readAddress } from '../../email/read-address.ts';
import { openPrivacy, type StorageSession } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { renderLedger, renderReasons, styleOf } from '../render/outcome.ts';
import { type Cell, renderTable } from '../render/table.ts';
import { CannotRun, type Shell } from '../shell.ts';

export function printRecord(shell: Shell, record: CheckRecord): void {
  const { action, risk_level: level } = record;
  const known = Object.entries(record.facts).filter(([, value]) => value !== null);
  const blocks = [
    renderTable(
      shell,
      ['check', record.id],
      [
        ['created', record.created_at],
        ['action', { text: action, ...styleOf(action) }],
        ['score', { text: `${record.risk_score} ${level}`, ...styleOf(level) }],
        ['address', record.address ?? hiddenAddress(record)],
        ['account', record.account_id],
        ['key', `${record.key_id} (${record.environment})`],
        ['ruleset', record.ruleset],
        ...(record.duration_us === null ? [] : [['took', `${record.duration_us} µs`] as const]),
        ...(record.challenger ? [challengeRow(record.challenger)] : []),
      ],
    ),
    renderLedger(shell, record.ledger),
    renderTable(
      shell,
      ['fact', 'value'],
      known.map(([id, value]) => [id, String(value)]),
    ),
    ...(Object.keys(record.unknown).length === 0 ? [] : [renderReasons(shell, record.unknown)]),
    renderTable(
      shell,
      ['provider', '>µs', 'data', 'evidence'],
      Object.entries(record.timings).map(([id, tookUs]) => [
        id,
        tookUs,
        record.sources[id] ?? null,
        record.evidence[id] === undefined ? null : JSON.stringify(record.evidence[id]),
      ]),
    ),
  ];
  shell.print(blocks.join('\n\n'));
}

/** What `rules.challenger_dir` would have answered; callers did not see it. */
function challengeRow({ ruleset, action, risk_score, risk_level }: RecordedChallenge): readonly Cell[] {
  return ['challenger', { text: `${action} ${risk_score} ${risk_level}, by ${ruleset}`, ...styleOf(action) }];
}

/** Privacy decides what is there: a hash beside the domain, or nothing. */
function hiddenAddress({ domain }: CheckRecord): string {
  return domain === null ? 'not stored' : `(hashed) at ${domain}`;
}

const NOTHING_TO_FIND =
  'Under privacy.store_addresses: none a record holds neither the address nor its hash: such records cannot be found, and cannot identify a person.';

/** Erases by the hash of the canonical address, which records hold under `plain` too. */
export async function forgetPerson(
  shell: Shell,
  { loaded, storage }: StorageSession,
  email: string,
  options: CommonOptions,
): Promise<void> {
  const reading = readAddress(email);
  if (!reading.ok) throw new CannotRun(`"${email}" is no address: ${reading.refusal.message}`);
  const privacy = await openPrivacy(loaded);
  // Also under `none`: records from before that was set can still be found.
  const addressHmac = privacy.hmac(reading.address.canonical.address);
  const { checks, labels } = await storage.checks.forget({ addressHmac });
  if (checks + labels === 0) shell.exitCode = 1;
  if (options.json) shell.json({ canonical: reading.address.canonical.address, erased: checks, labels });
  else shell.print(describe(checks, labels));
  if (privacy.mode === 'none') shell.note(NOTHING_TO_FIND);
}

function describe(checks: number, labels: number): string {
  if (checks + labels === 0) return 'nothing erased';
  const records = `${checks} ${checks === 1 ? 'record' : 'records'}`;
  return labels === 0
    ? `${records} erased`
    : `${records} and ${labels} ${labels === 1 ? 'label' : 'labels'} erased`;
}
