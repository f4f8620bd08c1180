import { expect, it } from 'vitest';
import { aWorldWith } from './recorded-world.ts';
import { aWorld } from './world.ts';

it('rules backtest --file reads records as checks show prints them, including what privacy settings left out', async () => {
  const { signals } = (await aWorld().postern(['check', '--offline', 'x@mailinator.com', '--json'])).json();
  const recorded = { ...signals, 'typo.suggestion': null };
  expect(signals).toHaveProperty(['typo.suggestion']);
  const world = await aWorldWith({ id: 'chk_1', facts: recorded });
  const { stdout } = await world.postern(['checks', 'show', 'chk_1', '--json']);
  world.write('records.jsonl', stdout.replace('{', '{"label":"bad",'));
  const { code, json } = await world.postern([
    'rules',
    'backtest',
    'rules',
    '--file',
    'records.jsonl',
    '--json',
  ]);
  expect(code).toBe(0);
  expect(json()).toMatchObject({
    cases: { total: 1, bad: 1 },
    caveats: [],
    confusion: { base: { BLOCK: { bad: 1 } } },
    source: { first: '2026-11-20T10:00:00.000Z' },
  });
});
