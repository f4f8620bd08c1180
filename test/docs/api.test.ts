import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORCED_ACTIONS, REFUSALS, SCENARIOS, SLOW, SLOW_MS } from '../../src/checks/sandbox.ts';
import { CHECK_RESPONSE } from '../../src/http/v1/check.presenter.ts';
import type { JsonSchema } from '../../src/provider-kit/index.ts';
import { NEUTRAL } from '../../src/signals/signals.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { codeIn, fencesOf, readPage, tableOf } from './markdown.ts';

const page = readPage('docs/api.md');

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ rate_limit: { requests: 4 } });
});
afterAll(() => service.stop());

/** `summary.action` and its schema, for each member that is a value. */
function leavesOf({ properties = {} }: JsonSchema, path = ''): [string, JsonSchema][] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, schema]) =>
    schema.type === 'object' ? leavesOf(schema, `${path}${name}.`) : [[`${path}${name}`, schema]],
  );
}

function wordsFor({ type, enum: values, minimum, maximum }: JsonSchema): string {
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(' ');
  if (Array.isArray(type)) return type.join(' or ');
  return maximum === undefined ? String(type) : `${type}, ${minimum} to ${maximum}`;
}

describe('docs/api.md', () => {
  it('lists every member of the answer with its type and neutral value, and no other', () => {
    const neutral = new Map(
      Object.entries(NEUTRAL).map(([slot, value]) => [`signals.${slot}`, `\`${value}\``]),
    );
    expect(
      tableOf(page, 'member', 'type', 'meaning', 'neutral').map(([member, type, , value]) => [
        member,
        type,
        value,
      ]),
    ).toEqual(
      leavesOf(CHECK_RESPONSE).map(([path, schema]) => [
        `\`${path}\``,
        wordsFor(schema),
        neutral.get(path) ?? '',
      ]),
    );
  });

  it('lists every scenario of test keys, in the same words', () => {
    const words = Object.entries(SCENARIOS).map(([word, { description }]) => [`\`${word}\``, description]);
    const rows = tableOf(page, 'local part', 'stands for');
    expect(rows.slice(0, words.length)).toEqual(words);
    expect(rows.slice(words.length).map(([word = '']) => codeIn(word)[0])).toEqual([
      ...Object.keys(FORCED_ACTIONS),
      ...Object.keys(REFUSALS),
      SLOW,
    ]);
    for (const [word, code] of Object.entries(REFUSALS)) {
      expect(rows.find(([cell]) => cell === `\`${word}\``)?.[1]).toContain(`\`${code}\``);
    }
    expect(rows.at(-1)?.[1]).toBe('an answer after three seconds');
    expect(SLOW_MS).toBe(3_000);
  });

  it('shows headers as they are sent, on the example in its text', async () => {
    const documented = new Map(
      tableOf(page, 'header', 'on', 'tells').map(([name = '', , tells = '']) => [
        name.replaceAll('`', '').toLowerCase(),
        codeIn(tells),
      ]),
    );
    const live = await service.check('', {
      body: fencesOf(page).find(({ info }) => info === 'json request')?.text ?? '',
    });
    expect(live.status).toBe(200);
    for (const name of ['request-id', 'postern-ruleset', 'ratelimit-policy', 'ratelimit']) {
      expect(documented.has(name), name).toBe(true);
      expect(live.headers, name).toHaveProperty(name);
    }
    const policy = documented.get('ratelimit-policy')?.[0];
    expect(String(live.headers['ratelimit-policy']).replace('q=4', 'q=600')).toBe(policy);
    expect(documented.get('ratelimit')?.[0]).toMatch(/^"key";r=\d+;t=\d+$/);

    const headers = { authorization: `Bearer ${await service.createKey('test')}` };
    const test = await service.check('jane@postern.test', { headers });
    expect(test.headers['postern-suggestion']).toBe(undefined);
    const mistyped = await service.check('jane@gmial.com', { headers });
    expect(mistyped.headers['postern-suggestion']).toBe(documented.get('postern-suggestion')?.[0]);
    expect(test.headers['postern-environment']).toBe(documented.get('postern-environment')?.[0]);
    service.dns.setBehaviour('servfail');
    const degraded = await service.check('jane@no-mail.example');
    service.dns.setBehaviour('healthy');
    expect(degraded.headers['postern-degraded']).toBe(documented.get('postern-degraded')?.[0]);
    expect(degraded.json.signals.domain.has_mx).toBe(false);

    for (let more = 0; more < 2; more++) await service.check('jane@example.com');
    const refused = await service.check('jane@example.com');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    const all = [
      'request-id',
      'postern-ruleset',
      'postern-degraded',
      'postern-environment',
      'postern-suggestion',
    ];
    expect([...documented.keys()].sort()).toEqual(
      [...all, 'ratelimit-policy', 'ratelimit', 'retry-after'].sort(),
    );
  });
});

it("docs/errors.md's example is what the service answers", async () => {
  const fresh = await startTestService();
  const { json } = await fresh.check('jane');
  await fresh.stop();
  const example = JSON.parse(
    fencesOf(readPage('docs/errors.md')).find(({ text }) => text.includes('"error"'))?.text ?? '',
  );
  expect({ error: { ...json.error, request_id: example.error.request_id } }).toEqual(example);
});
