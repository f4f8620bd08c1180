import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../src/lib/paths.ts';
import type { ProblemCode } from '../../../src/rules/problem.ts';
import {
  modeLineOf,
  ruleSchemas,
  schemaNameOf,
  withModeLine,
} from '../../../src/rules/schema/rule-schemas.ts';
import { aWorld } from '../../cli/world.ts';
import { catalogue } from '../catalogue.ts';
import { CARE_CASES } from '../lint/care-cases.ts';
import { CONDITIONS_CASES } from '../lint/conditions-cases.ts';
import { FILES_CASES } from '../lint/files-cases.ts';
import { type LintCase, unmark } from '../lint/lint-case.ts';
import { MEANING_CASES } from '../lint/meaning-cases.ts';
import { NAMED_CONDITIONS_CASES } from '../lint/named-conditions-cases.ts';
import { DIFFERENT, OVERLAP_CASES } from '../lint/overlap-cases.ts';
import { REACH_CASES } from '../lint/reach-cases.ts';
import { UNKNOWN_CASES } from '../lint/unknown-cases.ts';
import { directory, lint } from '../rules-directory.ts';

const CASES: readonly LintCase[] = [
  ...FILES_CASES,
  ...CONDITIONS_CASES,
  ...NAMED_CONDITIONS_CASES,
  ...MEANING_CASES,
  ...OVERLAP_CASES,
  ...REACH_CASES,
  ...UNKNOWN_CASES,
  ...CARE_CASES,
];

/** What a schema cannot check: it sees one file, and neither ids in other files nor the meaning of numbers. */
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
  const sources = directory(unmark(files).texts);
  return Object.entries(sources.files).flatMap(([path, text]) => {
    if (!path.endsWith('.yaml')) return [];
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
  it.each(shapes)('report $code: $mistake', ({ files }) => {
    expect(refused(files)).toHaveLength(1);
  });

  it('describe each fact', () => {
    const text = JSON.stringify(ruleSchemas(catalogue).group);
    for (const [id, { description }] of catalogue.facts) {
      expect(text).toContain(JSON.stringify({ const: id, description }));
    }
  });
});

const rulesDir = join(packageRoot, 'rules');
const paths = globSync(['*.yaml', 'tests/*.yaml'], { cwd: rulesDir });
const read = (path: string) => readFileSync(join(rulesDir, path), 'utf8');

describe('the shipped rules', () => {
  it('have schemas that are up to date: after a change of a fact or threshold, `npm run schema`', async () => {
    const { code, stdout } = await aWorld().postern(['rules', 'schema', '--check']);
    expect(stdout).toBe('rules: all schemas are up to date\n');
    expect(code).toBe(0);
  });

  it.each(paths)('name their schema on line 1, and match it: %s', (path) => {
    expect(read(path).split('\n', 1)).toEqual([modeLineOf(path)]);
    const schema = JSON.parse(read(`schema/${schemaNameOf(path)}.json`));
    const ajv = new Ajv({ strict: false });
    expect(ajv.validate(schema, parse(read(path))), ajv.errorsText()).toBe(true);
  });

  it('find the schema from their place', () => {
    for (const path of paths) {
      const [, target = ''] = /\$schema=(.*)/.exec(modeLineOf(path)) ?? [];
      const file = relative(rulesDir, join(rulesDir, path, '..', target));
      expect(read(file)).toContain('"$schema": "http://json-schema.org/draft-07/schema#"');
    }
  });
});

describe('line 1 of a rule file', () => {
  it('is added at the top, and kept where an author named another schema', () => {
    expect(withModeLine('a.yaml', '# A\n')).toBe('# yaml-language-server: $schema=schema/group.json\n# A\n');
    expect(withModeLine('a.yaml', '# A\r\n')).toBe(
      '# yaml-language-server: $schema=schema/group.json\r\n# A\r\n',
    );
    const own = '# yaml-language-server: $schema=https://example.org/x.json\n';
    expect(withModeLine('a.yaml', own)).toBe(own);
    expect(withModeLine('tests/a.yaml', '')).toBe('# yaml-language-server: $schema=../schema/tests.json\n');
  });
});

describe('postern rules schema', () => {
  const PLUGIN = `export default {
    id: 'mood', apiVersion: 1, description: 'Mood.', stage: 'local',
    facts: [{ id: 'mood.is', type: 'string', values: ['good', 'bad'], description: 'The mood.', example: 'good', never_unknown: true }],
    check: () => ({ facts: { 'mood.is': 'good' } }),
  };`;

  it('includes the facts of a plugin, and reports files that have no line 1', async () => {
    const world = aWorld({
      'plugins/mood/index.js': PLUGIN,
      'local.yaml': 'providers: { paths: [plugins/mood] }\n',
      'rules/mine.yaml': '# Mine.\ngroup: mine\ndescription: M.\nmax_score: 1\nrules: []\n',
    });
    const argv = ['rules', 'schema', '--config', 'local.yaml'];
    const checked = await world.postern([...argv, '--check']);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('rules/mine.yaml is not up to date\n');
    expect(world.read('rules/mine.yaml')).toMatch(/^# Mine/);

    const { code, json } = await world.postern([...argv, '--json']);
    expect(code).toBe(0);
    expect(json()).toEqual({
      dir: 'rules',
      written: [
        'rules/schema/group.json',
        'rules/schema/decision.json',
        'rules/schema/tests.json',
        'rules/mine.yaml',
      ],
    });
    expect(world.read('rules/schema/group.json')).toContain('"mood.is"');
    expect(world.read('rules/mine.yaml')).toMatch(
      /^# yaml-language-server: \$schema=schema\/group\.json\n# Mine\./,
    );
    expect((await world.postern([...argv, '--check'])).code).toBe(0);
  });

  it('keeps line 1 when an entry is added to a list and removed again', async () => {
    const world = aWorld();
    const before = world.read('rules/allow.yaml');
    await world.postern(['lists', 'allow', 'add', 'x.org', '--reason', 'R.', '--owner', 'o']);
    expect(world.read('rules/allow.yaml').split('\n', 1)).toEqual(before.split('\n', 1));
    await world.postern(['lists', 'allow', 'remove', 'x.org']);
    expect(world.read('rules/allow.yaml').split('\n', 1)).toEqual(before.split('\n', 1));
  });

  it('cannot run on a directory that does not exist', async () => {
    expect((await aWorld().postern(['rules', 'schema', '--dir', 'nowhere'])).code).toBe(2);
  });

  it('cannot run where the schemas cannot be written', async () => {
    const world = aWorld({ 'own/schema': '' });
    const { code, stderr } = await world.postern(['rules', 'schema', '--dir', 'own']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^postern: own\/schema\/\w+\.json cannot be written: EEXIST: /),
    ]);
  });
});
