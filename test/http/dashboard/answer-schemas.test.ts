import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/http/dashboard/dashboard-api.ts';
import { answerGuard } from '../../../src/http/dashboard/schema-guard.ts';
import { closed, listOf, record, TEXT, withDefinitions } from '../../../src/http/json-types.ts';

const SHARE = record('share', { count: { type: 'integer' } });
const REPORT = record('report', { all: SHARE, days: listOf(closed({ day: TEXT, share: SHARE })) });

function titlesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'title' in value && typeof value.title === 'string' ? [value.title] : [];
  return [...own, ...Object.values(value).flatMap(titlesIn)];
}

const answers = AREAS.flatMap(({ endpoints }) =>
  endpoints.flatMap(({ operationId, answer: { schema } }) =>
    schema ? [[operationId, schema] as const] : [],
  ),
);

describe('the schema of an answer', () => {
  it.each(answers)('of %s is compiled with each named part once', (_, schema) => {
    const titles = titlesIn(withDefinitions(schema));
    expect(titles).toEqual([...new Set(titles)]);
  });

  it('checks its named parts wherever they are used', () => {
    const guard = answerGuard(REPORT, 'show_report');
    guard({ all: { count: 1 }, days: [{ day: 'today', share: { count: 2 } }] });
    expect(() => guard({ all: { count: 1 }, days: [{ day: 'today', share: { count: 'two' } }] })).toThrow(
      'the answer of show_report does not fit its schema: /days/0/share/count type',
    );
  });
});
