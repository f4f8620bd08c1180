import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ProblemCode } from '../../../src/rules/problem.ts';
import { ruleSchemas, schemaNameOf } from '../../../src/rules/schema/rule-schemas.ts';
import { catalogue } from '../catalogue.ts';
import { CARE_CASES } from '../lint/care-cases.ts';
import { CONDITIONS_CASES } from '../lint/conditions-cases.ts';
import { FILES_CASES } from '../lint/files-cases.ts';
import { type LintCase, unmark } from '../lint/lint-case.ts';
import { MEANING_CASES } from '../lint/meaning-cases.ts';
import { DIFFERENT, OVERLAP_CASES } from '../lint/overlap-cases.ts';
import { REACH_CASES } from '../lint/reach-cases.ts';
import { UNKNOWN_CASES } from '../lint/unknown-cases.ts';
import { directory, lint } from '../rules-directory.ts';

const CASES: readonly LintCase[] = [
  ...FILES_CASES,
  ...CONDITIONS_CASES,
  ...MEANING_CASES,
  ...OVERLAP_CASES,
  ...REACH_CASES,
  ...UNKNOWN_CASES,
  ...CARE_CASES,
];

/** What a schema can know: it sees one file, and neither ids elsewhere nor the meaning of numbers. */
const SEEN_BY_A_SCHEMA: readonly ProblemCode[] = [
  'wrong_shape',
  'unknown_key',
  'missing_key',
  'unknown_value',
  'out_of_range',
  'bad_id',
  'wrong_event',
  'shadow_decides',
  'empty_condition',
  'mixed_condition',
  'engine_extra',
  'path_refused',
  'decorator_refused',
  'unknown_fact',
  'unknown_operator',
  'operator_misfit',
  'value_misfit',
  'long_list',
  'score_not_ready',
  'level_reads_fact',
  'unknown_section',
  'bad_threshold',
];

const ajv = new Ajv({ strict: false });
const validators = new Map(
  Object.entries(ruleSchemas(catalogue)).map(([name, schema]) => [name, ajv.compile(schema)]),
);

/** The files of the case that their schema refuses. */
function refused(files: LintCase['files']): readonly string[] {
  const { rules, tests } = directory(unmark(files).texts);
  const paths = [
    ...rules.map(({ name, text }) => [name, text]),
    ...tests.map(({ name, text }) => [`tests/${name}`, text]),
  ];
  return paths.flatMap(([path = '', text = '']) => {
    const validate = validators.get(schemaNameOf(path));
    return validate?.(parse(text) ?? null) ? [] : [path];
  });
}

describe('schemas of rule files', () => {
  const accepted = CASES.filter(({ files }) => lint(unmark(files).texts).definitions);
  it.each([...accepted.map(({ mistake, files }) => [mistake, files] as const), ...DIFFERENT])(
    'refuse nothing that lint accepts: %s',
    (_, files) => {
      expect(refused(files)).toEqual([]);
    },
  );

  const shapes = CASES.filter(
    ({ code, isBeyondSchema }) => SEEN_BY_A_SCHEMA.includes(code) && !isBeyondSchema,
  );
  it.each(shapes)('see $code: $mistake', ({ files }) => {
    expect(refused(files)).toHaveLength(1);
  });

  it('say of each fact what it means', () => {
    const text = JSON.stringify(ruleSchemas(catalogue).group);
    for (const [id, { description }] of catalogue.facts) {
      expect(text).toContain(JSON.stringify({ const: id, description }));
    }
  });
});
