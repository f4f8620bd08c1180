import { describe, expect, it } from 'vitest';
import { createUpdateTools, longestWaitMs } from '../../src/lists/create-update-tools.ts';
import { ListStore } from '../../src/lists/list-store.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function toolsWith(refreshHours: number, random: number) {
  const config = {
    ...{ urls: [], refreshHours, maxBytes: 1_000, maxChangePercent: 10, staleAfterHours: 72 },
    allowPrivateAddresses: false,
  };
  const tools = createUpdateTools({
    config,
    store: new ListStore('/nowhere'),
    dns: { mx: async () => ({ outcome: 'nodata' }), addresses: async () => ({ outcome: 'nxdomain' }) },
    clock: { now: () => 0 },
    allowed: [{ value: 'shop.example', reason: 'Ours.', owner: 'risk' }],
    random: () => random,
  });
  return { tools, longest: longestWaitMs(config) };
}

describe('the time until the next attempt', () => {
  it.each([
    [0, 5.4],
    [0.5, 6],
    [1, 6.6],
  ])('is the configured one, a tenth less or more by chance (%d)', (random, hours) => {
    const { tools, longest } = toolsWith(6, random);
    for (const result of ['taken', 'unchanged', 'refused'] as const) {
      expect(tools.waitMs(result)).toBeCloseTo(hours * HOUR_MS);
    }
    expect(tools.waitMs('taken')).toBeLessThanOrEqual(Math.round(longest));
  });

  it('is half an hour when nothing came, and no longer than the configured one', () => {
    expect(toolsWith(6, 0.5).tools.waitMs('failed')).toBe(30 * MINUTE_MS);
    expect(toolsWith(0.25, 0.5).tools.waitMs('failed')).toBe(15 * MINUTE_MS);
  });
});

it('an update counts what the operator allows among the canaries', () => {
  const { canaries } = toolsWith(6, 0).tools.bounds;
  expect(canaries.kindOf('shop.example')).toBe('your allow list');
});

it('an update asks nobody where DNS has no address', async () => {
  const { download } = toolsWith(6, 0).tools;
  expect(await download('https://lists.example/', { etag: null, lastModified: null })).toEqual({
    outcome: 'failed',
    reason: 'DNS has no address of lists.example: nxdomain',
  });
});
