import {
  type Answer,
  type Context,
  defineProvider,
  isUnknown,
  type Unknown,
  unknown,
} from 'postern/provider-kit';
import { OPTIONS, type Options, readOptions } from './options.ts';
import { type Mail, type Prober, proberOf } from './prober.ts';
import { Table } from './table.ts';
import { answerOf, secondsLeft } from './verdict.ts';

interface State extends Options {
  readonly table: Table;
}

const BEYOND_ASKING = unknown('not_run', 'not to be found out from outside');

export default defineProvider<State>({
  id: 'catch_all',
  apiVersion: 1,
  description:
    'Whether the domain takes mail for every local part: from a table, and from asking its mail host.',
  stage: 'network',
  // Of findings, no longer than MX records and verdict hold; of unknown ones, so that an answer that comes is soon seen.
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
    if (mode === 'off') return unknown('not_run', 'switched off');
    const policy = table.policyOf(domain);
    if (policy === 'never') return { facts: { 'domain.is_catch_all': false }, evidence: { from: 'table' } };
    if (policy === 'unknown') return BEYOND_ASKING;
    if (manner === null) return unknown('not_run', 'not in the table');
    // A literal or dotless domain has no MX records.
    if (domainKind !== 'name') return unknown('not_run', 'not a domain name');
    const { dns, smtp, store, clock, log } = context;
    if (!smtp) return unknown('not_run', 'only the service asks mail hosts');
    if (!dns || !store || !clock || !log) return unknown('error', 'the host gave no ports');
    const mail = await findMail(domain, table, { dns, signal: context.signal });
    if (isUnknown(mail)) return mail;
    const prober = proberOf({ smtp, store, clock, log }, manner);
    const known = prober.recall(mail);
    if (known) {
      return answerOf(known, mail.exchanges[0], Math.min(mail.ttlSeconds, secondsLeft(known, clock.now())));
    }
    if (mode === 'live') return askNow(prober, mail, context.signal);
    void prober.ask(mail);
    return unknown('not_run', 'being asked');
  },
});

async function findMail(
  domain: string,
  table: Table,
  { dns, signal }: Required<Pick<Context, 'dns' | 'signal'>>,
): Promise<(Mail & { readonly ttlSeconds: number }) | Unknown> {
  const answer = await dns.mx(domain, signal);
  if (answer.outcome === 'nxdomain' || answer.outcome === 'nodata') return unknown('not_run', 'no MX record');
  if (answer.outcome !== 'found') return unknown(answer.outcome, 'MX records');
  const [first, ...others] = [...answer.records]
    .sort((one, other) => one.preference - other.preference || (one.exchange < other.exchange ? -1 : 1))
    .map(({ exchange }) => exchange)
    .filter((exchange) => exchange !== '');
  // RFC 7505: the root as the only exchange says that the domain takes no mail.
  if (first === undefined) return unknown('not_run', 'null MX');
  if (table.isBeyondAsking(first)) return BEYOND_ASKING;
  return { domain, exchanges: [first, ...others], ttlSeconds: answer.ttlSeconds ?? Infinity };
}

/** What comes too late is for the next check: the prober keeps it. */
async function askNow(
  prober: Prober,
  mail: Mail & { readonly ttlSeconds: number },
  signal: AbortSignal,
): Promise<Answer> {
  const late = Promise.withResolvers<null>();
  const giveUp = () => late.resolve(null);
  signal.addEventListener('abort', giveUp, { once: true });
  const found = await Promise.race([prober.ask(mail), late.promise]);
  signal.removeEventListener('abort', giveUp);
  if (found === null) return unknown('timeout', 'the mail host is being asked');
  if ('notAsked' in found) return unknown('not_run', found.notAsked);
  return answerOf(found, mail.exchanges[0], mail.ttlSeconds);
}
