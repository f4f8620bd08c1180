import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadServices } from '../../providers/relay/load.ts';
import { openDefaultRules } from '../support/default-rules.ts';

/**
 * How relays make names: Apple `dpdnvq2z7r`, Mozilla `9mvm5yb2r`, DuckDuckGo `grew-outer-moth`, SimpleLogin words and
 * digits or a UUID.
 */
const alphanumeric = fc.stringMatching(/^[a-z0-9]{7,20}$/);
const word = fc.constantFrom('ivory', 'dolphin', 'tundra', 'shop', 'info', 'support', 'quartz', 'xylem');
const separator = fc.constantFrom('.', '_', '-');
const names = fc.oneof(
  alphanumeric,
  fc.uuid(),
  fc.stringMatching(/^[0-9]{5,16}$/),
  fc.stringMatching(/^[bcdfghjklmnpqrstvwxz]{7,16}$/),
  fc.tuple(word, separator, word, separator, alphanumeric).map((parts) => parts.join('')),
  fc.tuple(word, separator, word).map((parts) => parts.join('')),
  word,
);
const domains = fc
  .tuple(
    fc.constantFrom('', 'jane.', 'k3x9q7zm2v4b.'),
    fc.constantFrom(...loadServices().flatMap((s) => s.domains)),
  )
  .map((labels) => labels.join(''));

let rules: Awaited<ReturnType<typeof openDefaultRules>>;
beforeAll(async () => {
  rules = await openDefaultRules();
});
afterAll(() => rules.close());

describe('an address at a relay', () => {
  /** How other signals may judge its name and its domain, or what a list may contain of it later. */
  const looks = fc.record({
    'domain.is_catch_all': fc.boolean(),
    'domain.is_known_free_provider': fc.boolean(),
    'domain.is_role_account': fc.boolean(),
    'domain.tld_risk_level': fc.constantFrom('low', 'medium', 'high'),
    'entropy.suspicious': fc.boolean(),
    'gibberish.is_likely': fc.boolean(),
    'gibberish.score': fc.constantFrom(0.2, 0.6, 1),
  });

  it('gets no points for its generated name, for a catch-all domain, or for its ending', async () => {
    await fc.assert(
      fc.asyncProperty(names, domains, fc.option(looks), async (name, domain, told) => {
        const { decision } = await rules.decide(`${name}@${domain}`, told ?? {});
        expect({ score: decision.score, action: decision.action }).toEqual({ score: 0, action: 'ALLOW' });
        expect(decision.ledger).toContainEqual(expect.objectContaining({ kind: 'shadow', id: 'relay' }));
      }),
      { numRuns: 500, seed: 20261126 },
    );
  });
});

it.each([
  ['dpdnvq2z7rzk4fz@appleid.com', 35],
  ['0f8c9a1e-3b1d-4b52-9c3f-7d8a6b5c4d3e@notsimplelogin.com', 60],
])('%s, of a domain with a similar name, gets the points that it gets anywhere', async (email, score) => {
  expect((await rules.decide(email)).decision.score).toBe(score);
  expect((await rules.decide(email, { 'domain.is_catch_all': true })).decision.score).toBe(score + 15);
});
