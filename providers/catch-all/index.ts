import { type Answer, type Context, defineProvider, type Findings, unknown } from 'postern/provider-kit';
import { isHostName } from '../mx/address-range.ts';
import { OPTIONS, type Options, readOptions } from './options.ts';
import { type Mail, type Prober, proberOf, recall } from './prober.ts';
import { Table } from './table.ts';
import { answerOf, secondsLeft } from './verdict.ts';

interface State extends Options {
  readonly table: Table;
}

/** For answers that depend on the configuration alone: it changes only with a restart. */
const HOUR_SECONDS = 3_600;

/** The answer where there is nothing to ask, and how long that holds. */
function notRun(why: string, ttlSeconds = HOUR_SECONDS): Findings {
  return { facts: { 'domain.is_catch_all': unknown('not_run') }, evidence: { unknown: why }, ttlSeconds };
}

const BEYOND_ASKING = 'not to be found out from outside';

export default defineProvider<State>({
  id: 'catch_all',
  apiVersion: 1,
  description:
    'Whether the domain takes mail for every local part: from a table, and from asking its mail host.',
  stage: 'network',
  // Findings: no longer than the MX records and the verdict hold. Unknown: one second, so that an answer that arrives is soon seen.
  cache: { by: 'domain', knownSeconds: 3600, unknownSeconds: 1 },
  uses: ['dns', 'smtp', 'store', 'clock', 'log'],
  facts: [
    {
      id: 'domain.is_catch_all',
      slot: 'domain.is_catch_all',
      type: 'boolean',
      description: 'The domain takes mail for any local part, so that an address proves nothing.',
      example: false,
    },
  ],
  options: OPTIONS,
  prepare: ({ options }) => {
    const table = Table.load();
    return {
      state: { ...readOptions(options), table },
      lists: [
        { name: 'data/domains.yaml', entries: table.sizes.domains },
        { name: 'data/exchanges.yaml', entries: table.sizes.exchanges },
      ],
    };
  },
  check: async ({ canonical: { domain }, domainKind }, context) => {
    const { mode, table, manner } = context.state;
    if (mode === 'off') return notRun('switched off');
    const policy = table.policyOf(domain);
    if (policy === 'never') return { facts: { 'domain.is_catch_all': false }, evidence: { from: 'table' } };
    if (policy === 'unknown') return notRun(BEYOND_ASKING);
    if (manner === null) return notRun('not in the table');
    // A literal or dotless domain has no MX records.
    if (domainKind !== 'name') return notRun('not a domain name');
    const { dns, smtp, store, clock, log } = context;
    if (!dns || !store || !clock || !log) return unknown('error', 'the host gave no ports');
    const mail = await findMail(domain, table, { dns, signal: context.signal });
    if (!('exchanges' in mail)) return mail;
    const known = await recall(mail, store).catch((err: unknown) => {
      log.warn({ err }, 'what mail hosts said before cannot be read');
      return null;
    });
    if (known === null) return unknown('error', 'the store cannot be read');
    if (known) {
      return answerOf(known, mail.exchanges[0], Math.min(mail.ttlSeconds, secondsLeft(known, clock.now())));
    }
    if (!smtp) return notRun('only the service asks mail hosts', mail.ttlSeconds);
    const prober = proberOf({ smtp, store, clock, log }, manner);
    if (mode === 'live') return askNow(prober, mail, context.signal);
    void prober.ask(mail);
    return unknown('not_run', 'being asked');
  },
});

interface CurrentMail extends Mail {
  /** How long the MX records hold; Infinity where DNS does not say. */
  readonly ttlSeconds: number;
}

async function findMail(
  domain: string,
  table: Table,
  { dns, signal }: Required<Pick<Context, 'dns' | 'signal'>>,
): Promise<CurrentMail | Answer> {
  const answer = await dns.mx(domain, signal);
  if (answer.outcome === 'nxdomain' || answer.outcome === 'nodata') {
    return notRun('no MX record', answer.ttlSeconds);
  }
  if (answer.outcome !== 'found') return unknown(answer.outcome, 'MX records');
  const [first, ...others] = [...answer.records]
    .sort((one, other) => one.preference - other.preference || (one.exchange < other.exchange ? -1 : 1))
    .map(({ exchange }) => exchange)
    .filter(isHostName);
  // RFC 7505: the root as the only exchange says that the domain takes no mail. An address or localhost counts as the same: neither is asked.
  if (first === undefined) return notRun('null MX', answer.ttlSeconds);
  if (table.isBeyondAsking(first)) return notRun(BEYOND_ASKING, answer.ttlSeconds);
  return { domain, exchanges: [first, ...others], ttlSeconds: answer.ttlSeconds ?? Infinity };
}

/** Asks while the check waits. An answer that comes too late serves the next check: the prober keeps it. */
async function askNow(prober: Prober, mail: CurrentMail, signal: AbortSignal): Promise<Answer> {
  const late = Promise.withResolvers<null>();
  const giveUp = () => late.resolve(null);
  signal.addEventListener('abort', giveUp, { once: true });
  const found = await Promise.race([prober.ask(mail), late.promise]);
  signal.removeEventListener('abort', giveUp);
  if (found === null) return unknown('timeout', 'the mail host is being asked');
  if ('notAsked' in found) return unknown('not_run', found.notAsked);
  return answerOf(found, mail.exchanges[0], mail.ttlSeconds);
}
