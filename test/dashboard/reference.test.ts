import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Description,
  operationsOf,
  type Schema,
} from '../../dashboard/src/pages/docs/reference/description.ts';
import {
  boundsText,
  exampleOf,
  partsOf,
  typeText,
} from '../../dashboard/src/pages/docs/reference/schema-text.ts';
import { packageRoot } from '../../src/lib/paths.ts';

const read = (file: string): Description => JSON.parse(readFileSync(join(packageRoot, 'docs', file), 'utf8'));
const api = read('openapi.json');
const dashboard = read('dashboard-openapi.json');

describe('the API reference', () => {
  it.each([
    ['openapi.json', api],
    ['dashboard-openapi.json', dashboard],
  ])('has every operation of %s, each with a described answer and refusals', (_file, description) => {
    const operations = operationsOf(description);
    expect(operations.length).toBe(Object.values(description.paths).flatMap(Object.keys).length);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    for (const { id, answers, refusals, tag } of operations) {
      expect(answers.length, id).toBeGreaterThan(0);
      expect(refusals.length, id).toBeGreaterThan(0);
      expect(
        refusals.every(({ message }) => message !== ''),
        id,
      ).toBe(true);
      expect(description.tags.map(({ name }) => name)).toContain(tag);
    }
  });

  it('lists each error code of a check by its status', () => {
    const check = operationsOf(api).find(({ id }) => id === 'check');
    expect(check?.refusals.filter(({ status }) => status === '400').map(({ code }) => code)).toEqual([
      'bad_request',
      'invalid_json',
      'missing_email',
    ]);
    expect(check?.answers[0]?.headers.map(({ name }) => name)).toContain('Postern-Ruleset');
    expect(check?.answers[0]?.bodies[0]?.example).toMatchObject({ summary: { action: 'ALLOW' } });
  });

  it('shows an answer that is not an error among the answers, whatever its status', () => {
    const readiness = operationsOf(api).find(({ id }) => id === 'readiness');
    expect(readiness?.answers.map(({ status }) => status)).toEqual(['200', '503']);
  });

  it.each<[Schema, string, string]>([
    [{ $ref: '#/components/schemas/check' }, 'check', ''],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null', ''],
    [{ type: ['string', 'null'], minLength: 3 }, 'string or null', 'at least 3 characters'],
    [
      { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 9 },
      'list of integer',
      '1 to 9 of them',
    ],
    [{ type: 'object', additionalProperties: { const: 1 } }, 'by name: 1', ''],
    [{ enum: ['a', 'b'], default: 'a' }, '"a" | "b"', '"a" unless given'],
    [{ type: 'string', format: 'date-time', pattern: '^2' }, 'string, date-time', 'matches ^2'],
    [{}, 'anything', ''],
  ])('describes the type of %j', (schema, type, bounds) => {
    expect([typeText(schema), boundsText(schema)]).toEqual([type, bounds]);
  });

  it('shows the form of every named schema, also of recursive ones', () => {
    for (const [name, schema] of Object.entries(dashboard.components.schemas)) {
      expect(JSON.stringify(exampleOf(schema, dashboard)), name).toBeDefined();
    }
    const itself: Description = {
      ...dashboard,
      components: {
        ...dashboard.components,
        schemas: { node: { type: 'object', properties: { of: { $ref: '#/components/schemas/node' } } } },
      },
    };
    expect(exampleOf({ $ref: '#/components/schemas/node' }, itself)).toEqual({
      of: { of: { of: null } },
    });
  });

  it('has the members of lists, choices and maps', () => {
    const member: Schema = { properties: { a: {} } };
    expect(partsOf({ type: 'array', items: { anyOf: [member, { type: 'null' }] } })).toEqual([member]);
    expect(partsOf({ additionalProperties: member })).toEqual([member]);
    expect(partsOf({ type: 'string' })).toEqual([]);
  });
});
