import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CheckRecord, parseRecord } from '../checks/check-record.ts';
import { readAddress } from '../email/read-address.ts';
import type { CheckFilter, CheckSearch, ListedCheck } from '../insights/insights-queries.ts';
import { didYouMean } from '../lib/did-you-mean.ts';
import { counted } from '../lib/statistics.ts';
import { recordedDomain } from '../provider-kit/domain-names.ts';
import { openRecords, readingUrl } from '../storage/open-storage.ts';
import type { RecordsDatabase } from '../storage/shared/records-database.ts';
import { selectionOf } from './accounts.ts';
import { noteErased, onStorage, openPrivacy, type StorageSession } from './open-session.ts';
import { addCommand, addSelectionOptions, numberFrom, type SelectionOptions } from './options.ts';
import { renderLedger, renderUnknown, signed, styleOf } from './render/outcome.ts';
import { answerTable, type Cell, printBlocks, renderTable } from './render/table.ts';
import { CannotRun, NotThere, type Shell } from './shell.ts';

export function addCommands(checks: Command, shell: Shell): void {
  const listing = addCommand(checks, 'list', 'list records, the newest first');
  addSelectionOptions(listing)
    .addOption(new Option('--action <action>', 'answered so').choices(['ALLOW', 'BLOCK']))
    .option(
      '--rule <id>',
      'in which this rule fired: for points, by force, in the shadow, for the level or the action',
    )
    .option('--domain <domain>', 'of this mail domain; .example.org is all below it', parseDomain)
    .addOption(new Option('--env <environment>', 'of such keys').choices(['live', 'test']))
    .option('--limit <n>', 'so many at most', numberFrom(1, 100_000), 50)
    .action(onStorage(shell, listChecks));

  addCommand(checks, 'show', 'show one record')
    .argument('<id>', 'chk_…')
    .action(
      onStorage(shell, async (session, id: string) => {
        const record = await findRecord(session, id);
        shell.answer(record, () => printRecord(shell, record));
      }),
    );

  addCommand(checks, 'forget', 'erase every record of a person')
    .argument('<email>', 'in any of its forms: Jane.Doe+x@gmail.com erases janedoe@gmail.com')
    .action(onStorage(shell, forgetPerson, { warns: true }));
}

/** As records hold it. Refuses text that is no domain: no record has it, and "none found" would be taken for an answer. */
function parseDomain(text: string): string {
  const domain = recordedDomain(text);
  if (readAddress(`x@${domain.replace(/^\./, '')}`).ok) return domain;
  throw new InvalidArgumentError('It is example.org, or .example.org for all below it.');
}

interface ListOptions extends SelectionOptions, Pick<CheckFilter, 'action' | 'rule' | 'domain'> {
  readonly env?: string;
  readonly limit: number;
}

async function listChecks({ shell, loaded, storage }: StorageSession, options: ListOptions): Promise<void> {
  const { env: environment, account, limit, ...filter } = options;
  const { accountId } = await selectionOf(storage, options, NotThere);
  await using opened = new AsyncDisposableStack();
  const records = opened.adopt(await openRecords(readingUrl(loaded.config.storage)), (one) => one.close());
  const { checks, next } = await newestChecks(records, {
    ...filter,
    environment,
    accountId,
    limit,
  });
  const { rule } = filter;
  if (checks.length === 0 && rule !== undefined) {
    const recorded = await newestChecks(records, { rule, limit: 1 });
    if (recorded.checks.length === 0) await requireRule(shell, rule);
  }
  const rows = checks.map((check): Cell[] => [
    check.id,
    check.created_at,
    { text: check.action, style: styleOf(check.action) },
    check.risk_score,
    check.risk_level,
    check.domain,
    check.rules.map(({ id, points }) => `${id} ${signed(points)}`),
    check.label,
  ]);
  const headings = ['check', 'created', 'action', '>score', 'level', 'domain', 'rules', 'label'];
  answerTable(shell, { checks, more: next !== null }, headings, rows);
  if (next !== null) shell.note(`there are more: --limit ${limit} was reached`);
}

/** Reads pages until there are enough checks: a page also ends when it has looked at many records and found few. */
async function newestChecks(records: RecordsDatabase, asked: Omit<CheckSearch, 'after' | 'before'>) {
  // Loaded here, since no other command on checks searches.
  const { searchChecks } = await import('../storage/shared/search-checks.ts');
  const checks: ListedCheck[] = [];
  let next: string | null | undefined;
  do {
    const limit = asked.limit - checks.length;
    const found = await searchChecks(records, { ...asked, after: next ?? undefined, limit });
    checks.push(...found.checks);
    next = found.next;
  } while (next !== null && checks.length < asked.limit);
  return { checks, next };
}

/** For a rule that no record names. Throws NotThere where the rules in force have none of this name either. */
async function requireRule(shell: Shell, id: string): Promise<void> {
  const { openRules } = await import('./rules/open-rules.ts');
  const { definitions } = await openRules(shell);
  // Rules with errors do not tell which rules there are.
  if (!definitions) return;
  const known = definitions.rules.map((rule) => rule.id);
  if (known.includes(id)) return;
  throw new NotThere(
    `there is no rule "${id}", in the rules in force or in a record${didYouMean(id, known)}`,
  );
}

/** Throws NotThere. */
export async function findRecord({ storage }: StorageSession, id: string): Promise<CheckRecord> {
  const row = await storage.checks.find(id);
  if (!row) throw new NotThere(`there is no check "${id}"`);
  return parseRecord(row);
}

function printRecord(shell: Shell, record: CheckRecord): void {
  const { action, risk_level: level, challenger, domain } = record;
  // Without an address a record has a hash and the domain, or neither: `privacy.store_addresses` decides.
  const hidden = domain === null ? 'not stored' : `(hashed) at ${domain}`;
  // What `rules.challenger_dir` would have answered; callers did not see it.
  const challenge =
    challenger &&
    `${challenger.action} ${challenger.risk_score} ${challenger.risk_level}, by ${challenger.ruleset}`;
  const known = Object.entries(record.facts).filter(([, value]) => value !== null);
  printBlocks(shell, [
    renderTable(shell, {
      headings: ['check', record.id],
      rows: [
        ['created', record.created_at],
        ['action', { text: action, style: styleOf(action) }],
        ['score', { text: `${record.risk_score} ${level}`, style: styleOf(level) }],
        ['address', record.address ?? hidden],
        ['account', record.account_id],
        ['key', `${record.key_id} (${record.environment})`],
        ['ruleset', record.ruleset],
        ...(record.duration_us === null ? [] : [['took', `${record.duration_us} µs`]]),
        ...(challenge ? [['challenger', { text: challenge, style: styleOf(challenger.action) }]] : []),
      ],
    }),
    renderLedger(shell, record.ledger),
    renderTable(shell, {
      headings: ['fact', 'value'],
      rows: known.map(([id, value]) => [id, String(value)]),
    }),
    Object.keys(record.unknown).length === 0 ? '' : renderUnknown(shell, record.unknown),
    renderTable(shell, {
      headings: ['provider', '>µs', 'data', 'evidence'],
      rows: Object.entries(record.timings).map(([id, tookUs]) => {
        const evidence = record.evidence[id];
        return [id, tookUs, record.sources[id] ?? null, JSON.stringify(evidence) ?? null];
      }),
    }),
  ]);
}

const NOTHING_TO_FIND =
  'Under privacy.store_addresses: none a record holds neither the address nor its hash: such records cannot be found, and cannot identify a person.';

/** Erases by the hash of the canonical address, which records hold under `plain` too. */
async function forgetPerson(session: StorageSession, email: string): Promise<void> {
  const { shell } = session;
  const reading = readAddress(email);
  if (!reading.ok) throw new CannotRun(`"${email}" is no address: ${reading.refusal.message}`);
  const privacy = await openPrivacy(session);
  const canonical = reading.address.canonical.address;
  // Also under `none`: records from before that was set can still be found.
  const { checks, labels } = await session.storage.checks.forget({ addressHmac: privacy.hmac(canonical) });
  await noteErased(session, { command: 'checks forget', records: checks, labels });
  if (checks + labels === 0) shell.exitCode = 1;
  shell.answer({ canonical, erased: checks, labels }, () => {
    const andLabels = labels === 0 ? '' : ` and ${counted(labels, 'label')}`;
    const isNone = checks + labels === 0;
    shell.print(isNone ? 'nothing erased' : `${counted(checks, 'record')}${andLabels} erased`);
  });
  if (privacy.mode === 'none') shell.note(NOTHING_TO_FIND);
}
