import {
  type Answer,
  type DnsResolver,
  defineProvider,
  isUnknown,
  type MxRecord,
  unknown,
} from 'postern/provider-kit';
import { isHostName } from './address-range.ts';
import { KNOWN_PROVIDERS, loadExchangeOwners, ownerOf } from './exchange-owner.ts';
import { reachOf, together } from './reach.ts';
import { ShortestLife } from './shortest-life.ts';

/** From a mail service to nothing at all. */
const OUTCOMES = [
  'mx',
  'unresolvable_mx',
  'implicit_mx',
  'private_mx',
  'null_mx',
  'no_mail_host',
  'nxdomain',
  'not_a_name',
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Outcomes of a domain with MX records that lead out of private networks; a record whose host has no address still counts. */
const WITH_MX: readonly Outcome[] = ['mx', 'unresolvable_mx'];

/**
 * Exchanges whose addresses are looked up. Senders try the most preferred first (RFC 5321 section 5.1), and those
 * settle nearly every domain; the others are looked up only when neither of the first can be reached.
 */
const TRIED_FIRST = 2;
const TRIED_IN_ALL = 5;

interface Asking {
  readonly dns: DnsResolver;
  readonly signal: AbortSignal;
  readonly owners: ReadonlyMap<string, string>;
}

export default defineProvider<ReadonlyMap<string, string>>({
  id: 'mx',
  apiVersion: 1,
  description: 'Whether the domain takes mail, and who takes it, by live DNS.',
  stage: 'network',
  // Cached for as long as DNS says. The resolver itself caches failures, for seconds.
  cache: { by: 'domain', knownSeconds: 3600, unknownSeconds: 0 },
  uses: ['dns'],
  facts: [
    {
      id: 'domain.has_mx',
      slot: 'domain.has_mx',
      type: 'boolean',
      description: 'A live DNS look-up returned MX records that lead out of private networks.',
      example: true,
    },
    {
      id: 'mx.outcome',
      type: 'string',
      values: OUTCOMES,
      description: 'What the look-up of the mail exchanges came to.',
      example: 'mx',
    },
    {
      id: 'mx.provider',
      type: 'string',
      values: [...KNOWN_PROVIDERS, 'other', 'none'],
      description: 'Who runs the most preferred mail exchange that is known; none when there is no exchange.',
      example: 'google',
    },
  ],
  never: [
    [
      { fact: 'domain.has_mx', operator: 'equal', value: true },
      { fact: 'mx.outcome', operator: 'notIn', value: WITH_MX },
    ],
    [
      { fact: 'domain.has_mx', operator: 'equal', value: false },
      { fact: 'mx.outcome', operator: 'in', value: WITH_MX },
    ],
    [
      { fact: 'mx.provider', operator: 'equal', value: 'none' },
      { fact: 'mx.outcome', operator: 'in', value: WITH_MX },
    ],
    [
      { fact: 'mx.provider', operator: 'notEqual', value: 'none' },
      { fact: 'mx.outcome', operator: 'notIn', value: [...WITH_MX, 'private_mx'] },
    ],
    [
      { fact: 'mx.provider', operator: 'equal', value: 'none' },
      { fact: 'domain.has_mx', operator: 'equal', value: true },
    ],
  ],
  prepare: () => {
    const state = loadExchangeOwners();
    return { state, lists: [{ name: 'data/providers.yaml', entries: state.size }] };
  },
  check: async ({ canonical, domainKind }, { dns, signal, state }) => {
    // A literal or dotless domain has no MX records, and asking about it would leak a packet.
    if (domainKind !== 'name') return settled('not_a_name');
    if (!dns) return unknown('error', 'the host gave no DNS port');
    const lookUps = new ShortestLife(dns);
    const answer = await judge(canonical.domain, { dns: lookUps, signal, owners: state });
    const { seconds } = lookUps;
    return isUnknown(answer) || seconds === undefined ? answer : { ...answer, ttlSeconds: seconds };
  },
});

async function judge(domain: string, asking: Asking): Promise<Answer> {
  const answer = await asking.dns.mx(domain, asking.signal);
  switch (answer.outcome) {
    case 'found':
      return judgeExchanges(answer.records, asking);
    case 'nodata':
      return judgeImplicit(domain, asking);
    case 'nxdomain':
      return settled('nxdomain');
    default:
      return unknown(answer.outcome, 'MX records');
  }
}

async function judgeExchanges(
  records: readonly MxRecord[],
  { dns, signal, owners }: Asking,
): Promise<Answer> {
  const exchanges = [...records]
    .sort((one, other) => one.preference - other.preference)
    .map(({ exchange }) => exchange)
    .filter(isHostName);
  // RFC 7505: the root as the only exchange says that the domain takes no mail. A record that names no host says the same.
  if (exchanges.length === 0) return settled('null_mx');

  const known = exchanges.map((exchange) => ownerOf(exchange, owners)).find((owner) => owner !== undefined);
  const evidence = { exchanges: exchanges.slice(0, TRIED_IN_ALL) };
  // The exchanges of a known provider lead to it; nothing is left to look up.
  if (known !== undefined) return settled('mx', known, evidence);

  const first = await reachOf(exchanges.slice(0, TRIED_FIRST), dns, signal);
  const others = exchanges.slice(TRIED_FIRST, TRIED_IN_ALL);
  const isSettled = first === 'reachable' || others.length === 0;
  const reach = isSettled ? first : together([first, await reachOf(others, dns, signal)]);
  // Mail that the tried exchanges do not take goes on to the untried ones, which may be anywhere.
  if (reach === 'reachable' || exchanges.length > TRIED_IN_ALL) return settled('mx', 'other', evidence);
  if (reach === 'private') return settled('private_mx', 'other', evidence);
  if (reach === 'nowhere') return settled('unresolvable_mx', 'other', evidence);
  // The look-up failed: the exchanges may be private, or a mail service. Their provider is known all the same: none in the table.
  return { facts: { 'domain.has_mx': reach, 'mx.outcome': reach, 'mx.provider': 'other' }, evidence };
}

/** No MX record: mail goes to the domain's own address if it has one (RFC 5321 section 5.1). */
async function judgeImplicit(domain: string, { dns, signal }: Asking): Promise<Answer> {
  const reach = await reachOf([domain], dns, signal);
  if (reach === 'reachable') return settled('implicit_mx');
  if (reach === 'private') return settled('private_mx');
  if (reach === 'nowhere') return settled('no_mail_host');
  return { facts: { 'domain.has_mx': false, 'mx.outcome': reach, 'mx.provider': 'none' } };
}

function settled(outcome: Outcome, provider = 'none', evidence?: Readonly<Record<string, unknown>>): Answer {
  const hasMx = WITH_MX.includes(outcome);
  const facts = { 'domain.has_mx': hasMx, 'mx.outcome': outcome, 'mx.provider': provider };
  return evidence === undefined ? { facts } : { facts, evidence };
}
