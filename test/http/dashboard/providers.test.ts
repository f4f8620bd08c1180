import { describe, expect, it } from 'vitest';
import { PROVIDERS_AREA } from '../../../src/http/dashboard/areas/providers.route.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../../support/providers.ts';
import { serveArea } from './serve-area.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const clock = { now: () => NOON };

async function start() {
  const { collector, prepared } = await aCollector(
    [
      aNetworkProvider('mx', {
        timeoutMs: 300,
        uses: ['dns'],
        cache: { by: 'domain', knownSeconds: 60, unknownSeconds: 5 },
        options: {
          type: 'object',
          properties: {
            token: { type: 'string', secret: true },
            depth: { type: 'integer', description: 'How deep.' },
          },
        },
      }),
      aLocalProvider('free', {
        facts: [aFact('free.seen', { slot: 'domain.is_known_free_provider', never_unknown: true })],
        prepare: () => ({
          state: undefined,
          source: 'free@1',
          lists: [{ name: 'free.txt', date: '2026-11-10', entries: 9 }],
        }),
      }),
    ],
    { disabled: [aLocalProvider('off')] },
  );
  const servers = () => [
    { server: '192.0.2.1', isOut: true, since: '2026-11-20T12:00:00.000Z' },
    { server: '192.0.2.2', isOut: false, since: null },
  ];
  const policies = { current: { providers: prepared } };
  const options = { mx: { token: 'swordfish', depth: 3 } };
  return serveArea(PROVIDERS_AREA, { collector, policies, servers, options, deadlineMs: 500, clock });
}

describe('the providers', () => {
  it('are shown with their facts, their data and their options, with secrets redacted', async () => {
    const ask = await start();
    const { status, json, text } = await ask('analyst', 'GET', '/providers');
    expect(status).toBe(200);
    expect(json.providers).toMatchObject([
      {
        ...{ id: 'free', stage: 'local', is_enabled: true, source: 'free@1', cache: null, timeout_ms: null },
        facts: [{ id: 'free.seen', slot: 'domain.is_known_free_provider', is_never_unknown: true }],
        lists: [{ provider: 'free', name: 'free.txt', age_days: 10, entries: 9 }],
      },
      {
        ...{ id: 'mx', stage: 'network', uses: ['dns'], timeout_ms: 300 },
        cache: { by: 'domain', known_seconds: 60, unknown_seconds: 5 },
        options: [
          { name: 'token', value: '[redacted]', description: null },
          { name: 'depth', value: 3, description: 'How deep.' },
        ],
      },
      { id: 'off', is_enabled: false, source: null, lists: [] },
    ]);
    expect(text).not.toContain('swordfish');
  });

  it('are shown with the DNS servers, and which of these are not used now', async () => {
    const ask = await start();
    expect((await ask('owner', 'GET', '/providers')).json.dns_servers).toEqual([
      { server: '192.0.2.1', is_out: true, since: '2026-11-20T12:00:00.000Z' },
      { server: '192.0.2.2', is_out: false, since: null },
    ]);
  });

  it('are restricted to operators', async () => {
    expect((await (await start())('viewer', 'GET', '/providers')).status).toBe(403);
  });
});
