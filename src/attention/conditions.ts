import { percent, whole } from '../lib/statistics.ts';
import { DAY_MS, spokenTime } from '../lib/time.ts';
import type { DnsServerState } from '../net/name-server.ts';

/** For one provider: the checks in which it was asked, and those in which it left a fact unknown because it failed. */
export interface ProviderTrend {
  readonly id: string;
  readonly lately: { readonly checks: number; readonly failed: number };
  readonly before: { readonly checks: number; readonly failed: number };
}

/** The parts of the service as they are at one moment. */
export interface Watched {
  readonly now: number;
  /** Why checks are refused: the database cannot be read, or takes no records. */
  readonly storage: string | undefined;
  /** Why what is published is not in force, in a sentence. */
  readonly rules: string | undefined;
  /** Why records past their days are not deleted. */
  readonly retention: string | undefined;
  /** What is wrong with each downloaded list, in a sentence. */
  readonly downloads: readonly string[];
  /** Age of the youngest built-in list of throw-away services; null where lists are downloaded, which have a limit of their own. */
  readonly builtInListDays: number | null;
  readonly dnsServers: readonly DnsServerState[];
  readonly certificate: { readonly endMs: number; readonly isOwn: boolean };
  /** Usable keys that came over plain HTTP. */
  readonly keysInClear: readonly { readonly name: string; readonly accountId: string }[];
  /** Checks per account and month; infinite where there is no limit. */
  readonly quota: number;
  /** Accounts that have used 80 % of the quota this month, or more. */
  readonly muchUsed: readonly { readonly id: string; readonly name: string; readonly checks: number }[];
  readonly providers: readonly ProviderTrend[];
}

export interface Found {
  /** A sentence. */
  readonly text: string;
  /** The account concerned; null for the installation, which operators alone look after. */
  readonly accountId: string | null;
}

interface Condition {
  readonly severity: 'critical' | 'warning';
  readonly title: string;
  /** The page of the dashboard that shows it and offers what to do, or the part of a document that says it. */
  readonly page: '/rules' | '/providers' | '/keys' | '/lists' | `/docs/${string}`;
  /** What to do, where the page does not say it. */
  readonly remedy: string;
  readonly find: (watched: Watched) => readonly Found[];
}

/** A list of last month names fewer than half of the domains that are abused today. */
export const OLD_LIST_DAYS = 90;
/** The limit of the alert on postern_certificate_end_timestamp_seconds. */
export const CERTIFICATE_ENDS_SOON_MS = 14 * DAY_MS;
/** A smaller share of failures is normal, fewer failures are no trend, and the share must be so many times the usual one. */
const MUCH_FAILED = 0.01;
const FEWEST_FAILED = 20;
const RISEN = 3;

const ofAll = (text: string): Found => ({ text, accountId: null });
const ofSome = (text: string | undefined) => (text === undefined ? [] : [ofAll(text)]);

const ofQuota = (isUsedUp: boolean) => ({
  page: '/keys' as const,
  remedy: 'Checks beyond it are refused with 429. An operator can raise quota.checks_per_month.',
  find: ({ quota, muchUsed }: Watched) =>
    muchUsed
      .filter(({ checks }) => checks >= quota === isUsedUp)
      .map(({ id: accountId, name, checks }) => ({
        text: `“${name}” has used ${whole(checks)} of ${whole(quota)} checks of the month.`,
        accountId,
      })),
});

/** Everything that wants a person's attention, the most urgent first. */
export const CONDITIONS = {
  checks_refused: {
    severity: 'critical',
    title: 'Checks are refused with 503',
    page: '/docs/operations#at-3-am',
    remedy: 'Run “postern doctor” on the machine; checks are answered again as soon as they can be recorded.',
    find: ({ storage }) => ofSome(storage && `Checks cannot be recorded: ${storage}.`),
  },
  rules_not_in_force: {
    severity: 'critical',
    title: 'Published rules are not in force',
    page: '/rules',
    remedy: 'Mend the file that is named: until then the rules before it decide.',
    find: ({ rules }) => ofSome(rules),
  },
  dns_out: {
    severity: 'critical',
    title: 'A DNS server does not reply',
    page: '/providers',
    remedy: 'See dns.servers in the configuration, and whether this machine reaches them.',
    find: ({ dnsServers }) => {
      const isNoneLeft = dnsServers.every(({ isOut }) => isOut);
      return dnsServers
        .filter(({ isOut }) => isOut)
        .map(({ server, since }) =>
          ofAll(
            `${server} is out${since === null ? '' : ` since ${spokenTime(since)}`}${isNoneLeft ? ', and no other is left: what look-ups would tell is unknown' : ''}.`,
          ),
        );
    },
  },
  seen_in_clear: {
    severity: 'critical',
    title: 'A key was seen in clear',
    page: '/keys',
    remedy: 'Rotate it or ask a developer of the account to, and have its program ask over HTTPS.',
    find: ({ keysInClear }) =>
      keysInClear.map(({ name, accountId }) => ({
        text: `“${name}” came over plain HTTP, where it could be read on the way.`,
        accountId,
      })),
  },
  quota_used_up: { severity: 'critical', title: 'A quota is used up', ...ofQuota(true) },
  certificate_ends: {
    severity: 'warning',
    title: 'The certificate is near its end',
    page: '/docs/operations#certificates',
    remedy: 'Put a renewed one in its place and send SIGHUP; one that Postern made is made anew then.',
    find: ({ certificate: { endMs, isOwn }, now }) => {
      if (endMs - now > CERTIFICATE_ENDS_SOON_MS) return [];
      const days = Math.floor((endMs - now) / DAY_MS);
      const what = isOwn ? 'The certificate that Postern made' : 'The certificate';
      const when =
        days < 0 ? 'has ended: clients refuse it' : `ends in ${days} ${days === 1 ? 'day' : 'days'}`;
      return [ofAll(`${what} ${when}.`)];
    },
  },
  quota_nearly_used: { severity: 'warning', title: 'A quota is nearly used up', ...ofQuota(false) },
  list_old: {
    severity: 'warning',
    title: 'A list is not up to date',
    page: '/lists',
    remedy: 'Update it, or name a list in lists.urls; without one, update Postern.',
    find: ({ downloads, builtInListDays: days }) => [
      ...downloads.map((complaint) => ofAll(`${complaint}.`)),
      ...(days !== null && days >= OLD_LIST_DAYS
        ? [ofAll(`The youngest list of throw-away services that comes with Postern is ${days} days old.`)]
        : []),
    ],
  },
  provider_unknowns_risen: {
    severity: 'warning',
    title: 'A provider leaves more unknown than usual',
    page: '/providers',
    remedy: 'Its row says for which reason.',
    find: ({ providers }) =>
      providers.flatMap(({ id, lately, before }) => {
        const share = lately.failed / Math.max(1, lately.checks);
        const usual = before.failed / Math.max(1, before.checks);
        if (lately.failed < FEWEST_FAILED || share < MUCH_FAILED || share < RISEN * usual) return [];
        return [
          ofAll(
            `${id} failed in ${percent(share)} of the checks of the last hour, and in ${percent(usual)} of the week before.`,
          ),
        ];
      }),
  },
  retention_waits: {
    severity: 'warning',
    title: 'Records past their days are not deleted',
    page: '/docs/operations#records-that-wait-to-be-deleted',
    remedy: 'See whether the clock and retention.days are right, then run “postern retention confirm”.',
    find: ({ retention }) => ofSome(retention),
  },
} as const satisfies Readonly<Record<string, Condition>>;

export type ConditionId = keyof typeof CONDITIONS;
export const CONDITION_IDS = Object.keys(CONDITIONS) as readonly ConditionId[];

export interface Finding extends Pick<Condition, 'severity' | 'title' | 'page' | 'remedy'> {
  readonly id: ConditionId;
  readonly found: readonly Found[];
}

/** The conditions that hold, in their order. */
export function findingsIn(watched: Watched): readonly Finding[] {
  return CONDITION_IDS.map((id) => {
    const { find, ...condition } = CONDITIONS[id];
    return { id, ...condition, found: find(watched) };
  }).filter(({ found }) => found.length > 0);
}
