import { createSecretKey } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openServiceState } from '../../src/app/compose/service-data.ts';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { systemClock } from '../../src/lib/time.ts';
import type { Logger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { aClosedPort } from '../support/closed-port.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

async function open(env: Readonly<Record<string, string>>) {
  const dataDir = temporaryDirectory();
  const { config } = await loadConfig({ dataDir, files: [], env, cwd: dataDir });
  const warn = vi.fn();
  const log = { warn, info: vi.fn(), error: vi.fn() } as unknown as Logger;
  const hmacKey = createSecretKey(Buffer.alloc(32, 7));
  const state = await openServiceState({ config, hmacKey, clock: systemClock, log, metrics: noMetrics });
  onTestFinished(() => state.close());
  return { state, warnings: warn.mock.calls.flat().filter((said) => typeof said === 'string') };
}

const POSTGRES = { POSTERN__STORAGE__URL: 'postgres://db/postern' };

it('warns of nothing where one process uses a file database and its own counters', async () => {
  const { state, warnings } = await open({});
  expect(warnings).toEqual([]);
  expect([state.isQuotaShared, state.unsharedBecause(), state.memory()?.forgotten]).toEqual([
    false,
    undefined,
    0,
  ]);
});

it('warns once that instances over one PostgreSQL without a Valkey count separately, and shares their quota', async () => {
  const { state, warnings } = await open(POSTGRES);
  expect(warnings).toEqual([expect.stringMatching(/^shared_state\.url is null: .* of its own$/)]);
  expect(state.isQuotaShared).toBe(true);
});

it('shares the quota of instances also where no Valkey was ever reached', async () => {
  const url = `valkey://127.0.0.1:${await aClosedPort()}`;
  const { state } = await open({ ...POSTGRES, POSTERN__SHARED_STATE__URL: url });
  expect([state.isQuotaShared, state.unsharedBecause()]).toEqual([true, expect.any(String)]);
});

it('warns that with a file database no other instance shares the Valkey', async () => {
  const url = `valkey://127.0.0.1:${await aClosedPort()}`;
  const { state, warnings } = await open({ POSTERN__SHARED_STATE__URL: url });
  expect(warnings[0]).toMatch(/^shared_state\.url is set, and storage\.url is a file/);
  expect([state.isQuotaShared, state.unsharedBecause(), state.memory()]).toEqual([
    false,
    expect.any(String),
    null,
  ]);
});
