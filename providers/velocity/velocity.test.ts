import fc from 'fast-check';
import { unknown } from 'postern/provider-kit';
import { runContract } from 'postern/provider-kit/vitest';
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';
import type { FactValue } from '../../src/provider-kit/index.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import velocity from './index.ts';
import { shapeOf } from './shape.ts';

/** The keys that are counted for an address with this MX owner, by fact, and the answer. */
async function ask(email: string, mailHost: FactValue | null = 'none') {
  const reading = readAddress(email);
  if (!reading.ok) throw new Error(`${email}: ${reading.refusal.message}`);
  const counted: Record<string, readonly string[]> = {};
  const numbers: Record<string, number> = {};
  const needs = { 'mx.provider': mailHost };
  if (velocity.stage !== 'local' || !velocity.counts) throw new Error('counts nothing');
  const { signal } = new AbortController();
  const context = { needs, options: {}, thresholds: {}, state: undefined, signal };
  for (const { facts, text, distinct } of velocity.counts(reading.address, context)) {
    for (const [fact, window] of Object.entries(facts)) {
      counted[fact] = [text, window, ...(distinct === undefined ? [] : [distinct])];
      numbers[fact] = Object.keys(counted).length;
    }
  }
  const { ask } = await prepareCheck(velocity, { needs, counted: numbers });
  return { counted, answer: await ask(reading.address) };
}

it.each(['jane.doe4821', 'x7k2m9.smith', 'jane', 'j.doe-smith', 'maria.1987'])(
  'counts %s under one shape, however its quotes and dots are written',
  async (clean) => {
    const shape = async (local: string) => (await ask(`${local}@firm.de`)).counted['velocity.pattern_1h'];
    const expected = await shape(clean);
    for (const written of [
      ...[`"${clean}"`, `.${clean}`, `${clean}..`, `"${clean.replaceAll('.', ' ')}"`],
      ...[clean.replaceAll('.', '...'), `${clean}+news`, `.${clean}.+x`],
    ]) {
      expect([written, await shape(written)]).toEqual([written, expected]);
    }
  },
);

it('counts the canonical address, its owner, its spellings, its domain and its shape', async () => {
  const { counted, answer } = await ask('J.Doe4821+news@googlemail.com');
  expect(counted).toEqual({
    'velocity.canonical_24h': ['jdoe4821@gmail.com', '24h'],
    'velocity.canonical_7d': ['jdoe4821@gmail.com', '7d'],
    'velocity.canonical_30d': ['jdoe4821@gmail.com', '30d'],
    'velocity.owner_cluster_24h': ['jdoe4821@gmail.com', '24h'],
    'velocity.owner_cluster_7d': ['jdoe4821@gmail.com', '7d'],
    'velocity.owner_cluster_30d': ['jdoe4821@gmail.com', '30d'],
    'velocity.spellings_24h': ['jdoe4821@gmail.com', '24h', 'j.doe4821+news@googlemail.com'],
    'velocity.domain_1h': ['gmail.com', '1h'],
    'velocity.pattern_1h': ['a4', '1h'],
  });
  expect(answer).toEqual({
    facts: {
      'velocity.canonical_24h': 1,
      'velocity.canonical_7d': 2,
      'velocity.canonical_30d': 3,
      'velocity.owner_cluster_24h': 4,
      'velocity.owner_cluster_7d': 5,
      'velocity.owner_cluster_30d': 6,
      'velocity.spellings_24h': 7,
      'velocity.domain_1h': 8,
      'velocity.pattern_1h': 9,
    },
  });
});

it.each([
  ['j.doe@firm.example', 'google', 'jdoe@firm.example'],
  ['j.doe@firm.example', 'microsoft', 'j.doe@firm.example'],
  ['jane-shop@yahoo.com', null, 'jane@yahoo.com'],
  ['j.ane@pm.me', null, 'jane@proton.me'],
])('counts %s, whose MX is run by %s, as %s', async (email, mailHost, owner) => {
  expect((await ask(email, mailHost)).counted['velocity.owner_cluster_24h']?.[0]).toBe(owner);
});

it('counts no owner while the operator of the MX is unknown, and counts everything else', async () => {
  const { counted, answer } = await ask('j.doe@firm.example', null);
  expect(Object.keys(counted)).not.toContain('velocity.owner_cluster_24h');
  const noOwner = { unknown: 'not_run', detail: 'who runs the MX is unknown' };
  expect(answer).toMatchObject({
    facts: {
      'velocity.canonical_24h': 1,
      'velocity.owner_cluster_24h': noOwner,
      'velocity.owner_cluster_7d': noOwner,
      'velocity.owner_cluster_30d': noOwner,
      'velocity.domain_1h': 5,
      'velocity.pattern_1h': 6,
    },
  });
});

it('answers not_run where nothing is counted', async () => {
  const { ask } = await prepareCheck(velocity, { needs: { 'mx.provider': 'none' } });
  const reading = readAddress('jane@example.com');
  if (!reading.ok) throw new Error('unreadable');
  expect(await ask(reading.address)).toEqual({ unknown: 'not_run', detail: 'nothing is counted here' });
});

describe('the shape of a local part', () => {
  it.each([
    ['jane', 'a'],
    ['janet', 'a'],
    ['jürgen', 'a'],
    ['美咲', 'a'],
    ['jane.doe', 'a.a'],
    ['jane_doe-smith', 'a_a-a'],
    ['jane4821', 'a4'],
    ['jane482', 'a3'],
    ['jane1987', 'ay'],
    ['jane2029', 'ay'],
    ['jane2030', 'a4'],
    ['jane1899', 'a4'],
    ['1987jane', 'ya'],
    ['19870412', '8'],
    ['jane.doe.1987', 'a.a.y'],
    ['2cool', '1a'],
    ['love4ever', '~9'],
    ['x7k2m9', '~6'],
    ['mail-x7k2m9', 'a-~6'],
    ['a.b.c.d', 'a.a.a.a'],
    ['a.b.c.d.e', '~9'],
    ['.jane..doe.', '.a..a.'],
    ['+', '+'],
  ])('of %s is %s', (localPart, shape) => expect(shapeOf(localPart)).toBe(shape));

  it('is the same for other letters and other digits in the same places, except years', () => {
    const part = fc.stringMatching(/^[a-z0-9._-]{1,30}$/);
    fc.assert(
      fc.property(part, (text) => {
        // Neither 3 nor 7 begins a year.
        const zero = text.replace(/\d/g, '3');
        const other = zero.replace(/[a-z]/g, 'q').replace(/3/g, '7');
        expect(shapeOf(other)).toBe(shapeOf(zero));
      }),
    );
  });

  it('contains no text but the separators, and is short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), (text) => {
        expect(shapeOf(text)).toMatch(/^[ay~0-9._+-]*$/);
        expect(shapeOf(text).length).toBeLessThanOrEqual(Math.max(text.length + 3, 4));
      }),
    );
  });
});

runContract(velocity, {
  given: { needs: { 'mx.provider': 'google' } },
  cases: [
    {
      email: 'jane@firm.example',
      given: { counted: { 'velocity.domain_1h': 7 } },
      expect: Object.fromEntries(velocity.facts.map(({ id }) => [id, id === 'velocity.domain_1h' ? 7 : 1])),
    },
    {
      name: 'where who runs the MX is unknown',
      email: 'jane@firm.example',
      given: { needs: { 'mx.provider': null } },
      expect: { 'velocity.owner_cluster_24h': unknown('not_run'), 'velocity.canonical_24h': 1 },
    },
    {
      name: 'in a command, which counts nothing',
      email: 'jane@firm.example',
      given: { counted: null },
      expect: unknown('not_run'),
    },
  ],
});
