import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCollector } from '../../../src/app/compose/pipeline.ts';
import { loadConfig } from '../../../src/app/config/load-config.ts';
import { readAddress } from '../../../src/email/read-address.ts';
import { systemClock } from '../../../src/lib/system-clock.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import type { Address } from '../../../src/provider-kit/index.ts';
import { collectForBoth } from '../../../src/rule-lab/backtest/labelled-file.ts';
import { compileRuleSet } from '../../../src/rules/compile.ts';
import { lintRules } from '../../../src/rules/lint/lint-rules.ts';
import { readRuleSources } from '../../../src/rules/rule-files.ts';
import { aWorld, type World } from '../../cli/world.ts';

const NOW = Date.UTC(2026, 10, 21);

/** How both sides collect: the rules as shipped, and the same with some files replaced. */
async function bothSides(files: Readonly<Record<string, string>>) {
  const [base, candidate] = [aWorld(), aWorld(files)];
  const loaded = await loadConfig({ files: [], env: {}, cwd: base.cwd, configDir: join(base.cwd, 'config') });
  const { collector, options } = await openCollector(loaded, createLogger('silent'), systemClock);
  const compile = async (world: World) => {
    const { definitions } = lintRules(await readRuleSources(join(world.cwd, 'rules')), collector.catalogue, {
      now: NOW,
    });
    if (!definitions) throw new Error('the rules of the test have errors');
    return compileRuleSet(definitions, collector.catalogue, NOW);
  };
  const ruleSets = { base: await compile(base), candidate: await compile(candidate) };
  return collectForBoth({ collector, inputs: { options }, ruleSets, world: 'local' });
}

function addressOf(email: string): Address {
  const reading = readAddress(email);
  if (!reading.ok) throw new Error(reading.refusal.message);
  return reading.address;
}

describe('how the facts of both sides are found out', () => {
  it('is the same where only rules differ', async () => {
    const { base, candidate } = await bothSides({
      'rules/address.yaml': aWorld()
        .read('rules/address.yaml')
        .replace(/max_score: \d+/, 'max_score: 100'),
    });
    expect(candidate).toBe(base);
    expect(await base(addressOf('x@mailinator.com'))).toMatchObject({ 'domain.is_known_disposable': true });
  });

  it('differs where the deny list does', async () => {
    const entry = '- { value: x.org, reason: A test., owner: risk }\n';
    const { base, candidate } = await bothSides({ 'rules/deny.yaml': entry });
    const address = addressOf('a@x.org');
    expect([await base(address), await candidate(address)]).toEqual([
      expect.objectContaining({ 'lists.denied': false }),
      expect.objectContaining({ 'lists.denied': true }),
    ]);
  });

  it('differs where a threshold of signals.yaml does', async () => {
    const signals = aWorld()
      .read('rules/signals.yaml')
      .replace(/likely_from: [\d.]+/, 'likely_from: 1');
    const { base, candidate } = await bothSides({ 'rules/signals.yaml': signals });
    const address = addressOf('xkqzvwtpfhj@gmail.com');
    expect([await base(address), await candidate(address)]).toEqual([
      expect.objectContaining({ 'gibberish.is_likely': true }),
      expect.objectContaining({ 'gibberish.is_likely': false }),
    ]);
  });
});
