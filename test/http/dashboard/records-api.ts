import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Router from '@koa/router';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { AuditTrail } from '../../../src/accounts/audit-trail.ts';
import type { Person, Sessions } from '../../../src/accounts/person.ts';
import { AppError } from '../../../src/errors.ts';
import { CHECKS } from '../../../src/http/dashboard/areas/checks.route.ts';
import { CheckExports } from '../../../src/http/dashboard/areas/export-checks.ts';
import { OVERVIEW_AREA } from '../../../src/http/dashboard/areas/overview.route.ts';
import { dashboardApi } from '../../../src/http/dashboard/dashboard-api.ts';
import { createKoaApp } from '../../../src/http/koa-app.ts';
import type { InsightsQueries } from '../../../src/insights/insights-queries.ts';
import { InsightsQueue } from '../../../src/insights/insights-queue.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import { AddressPrivacy } from '../../../src/privacy/address-privacy.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import type { TrailEntry } from '../../../src/storage/people-ports.ts';
import type { NewCheck, Storage } from '../../../src/storage/ports.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { catalogue } from '../../rules/catalogue.ts';
import { compile, group, is, points, when } from '../../rules/rules-directory.ts';
import { accountOf, checkOf, keyOf } from '../../storage/rows.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');
export const privacy = new AddressPrivacy('hmac', createSecretKey(Buffer.alloc(32, 7)));
/** The rules in force. */
export const RULES: RuleSet = compile({
  'group.yaml': group('group', {
    disposable: `${points(50)}, ${when(is('domain.is_known_disposable', true))}`,
    mail: `${points(20)}, ${when(is('domain.has_mx', false))}`,
  }),
});

/** Of the draft `drf_1`: the newest first. */
export const FLIPS = [
  { id: 'chk_3', createdAt: '2026-11-20T10:00:02.000Z' },
  { id: 'chk_gone', createdAt: '2026-11-20T10:00:01.500Z' },
  { id: 'chk_1', createdAt: '2026-11-20T10:00:00.000Z' },
];

const person = (id: string, part: Partial<Person>): Person => ({
  ...{ id, email: `${id}@example.com`, name: id, operatorRole: null, memberships: [], createdAt: '' },
  ...part,
});
const PEOPLE: readonly Person[] = [
  person('analyst', { operatorRole: 'analyst' }),
  person('developer', { memberships: [{ accountId: 'acc_1', role: 'developer' }] }),
  person('viewer', { memberships: [{ accountId: 'acc_1', role: 'viewer' }] }),
  person('stranger', { memberships: [{ accountId: 'acc_2', role: 'developer' }] }),
];

export interface RecordsApi {
  readonly storage: Storage;
  readonly trail: readonly TrailEntry[];
  /** How many days of records were judged for a filter by flips. */
  readonly flipDays: number[];
  /** Levels of what was logged beside the lines of requests: what failed, and answers that did not get through. */
  logged(): readonly string[];
  add(...rows: readonly (Partial<NewCheck> & { readonly id: string })[]): Promise<void>;
  ask(path: string, asked?: Asked): Promise<Answered>;
}

export interface Asked {
  /** Who is signed in. */
  readonly as?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Codings of the answer; gzip among others unless told. */
  readonly accepted?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what is asserted is its shape.
  readonly json: any;
}

/** The areas of figures and checks over a database of their own, with the real process that reads it. */
export async function aRecordsApi(insights?: InsightsQueries, ruleSet = RULES): Promise<RecordsApi> {
  const file = join(temporaryDirectory(), 'postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  const clock = { now: () => NOW };
  const providerOf = Object.fromEntries(
    [...catalogue.facts.values()].map(({ id, provider }) => [id, provider]),
  );
  const lines: { readonly level: string; readonly msg: string }[] = [];
  const log = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  const queue = new InsightsQueue({
    url: file,
    providerOf,
    hours: storage.checkHours,
    jobLock: storage.jobLock,
    log,
  });
  for (const account of ['acc_1', 'acc_2']) await storage.accounts.create(accountOf(account));
  await storage.keys.create(keyOf(1, { name: 'shop' }));

  const trail: TrailEntry[] = [];
  const audit = new AuditTrail(
    { add: async (entry) => void trail.push(entry), list: async () => trail },
    clock,
  );
  const flipDays: number[] = [];
  const flipsOf = async (word: string, days: number) => {
    flipDays.push(days);
    if (word !== 'drf_1') throw new AppError('not_found');
    return FLIPS;
  };
  const asked = insights ?? queue;
  const services = {
    ...{ insights: asked, exports: new CheckExports(), privacy, trail: audit, clock },
    ...{ labels: storage.labels, keys: storage.keys, collector: { catalogue } },
    policies: { current: { ruleSet } },
    editing: { flipsOf },
  };
  const api = dashboardApi({
    areas: [OVERVIEW_AREA, CHECKS],
    resolve: () => services,
    sessions: {
      ...({} as Sessions),
      identify: async (cookies) => {
        const found = PEOPLE.find(({ id }) => `as=${id}` === cookies);
        return found ? { person: found, setCookies: [] } : null;
      },
    },
    accounts: storage.accounts,
    trustedProxies: [],
  });
  const koa = createKoaApp(log, noMetrics, new Router(), [api]);
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    server.close();
    queue.close();
    await storage.close();
  });
  return {
    storage,
    trail,
    flipDays,
    logged: () => lines.filter(({ msg }) => msg !== 'request').map(({ level }) => level),
    async add(...rows) {
      await Promise.all(rows.map(({ id, ...fields }) => storage.checks.append(checkOf(id, fields))));
      if (insights === undefined) await queue.countHours();
    },
    async ask(path, { as = 'viewer', method = 'GET', body, signal, accepted } = {}) {
      const answer = await fetch(`http://${base}/dashboard/api${path}`, {
        method,
        headers: {
          cookie: `as=${as}`,
          origin: `https://${base}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(accepted !== undefined && { 'accept-encoding': accepted }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      const text = await answer.text();
      const json = text.startsWith('{') ? JSON.parse(text) : null;
      return { status: answer.status, headers: answer.headers, text, json };
    },
  };
}
