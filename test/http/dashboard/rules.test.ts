import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Config } from '../../../src/app/config/config.ts';
import { RULES_AREA } from '../../../src/http/dashboard/areas/rules.route.ts';
import { RuleEditing } from '../../../src/rule-lab/editing/rule-editing.ts';
import { queueRuleJobs, type RuleJobs } from '../../../src/rule-lab/editing/rule-jobs.ts';
import type { RuleFiles } from '../../../src/rules/rule-files.ts';
import { someRuleEditing } from '../../rule-lab/editing/some-rule-editing.ts';
import { filesWith, seen } from '../../rule-lab/editing/some-rule-jobs.ts';
import { aProgram } from '../../support/a-program.ts';
import { serveArea } from './serve-area.ts';

let world: Awaited<ReturnType<typeof someRuleEditing>>;
let ask: Awaited<ReturnType<typeof serveArea>>;
const record = vi.fn(async (_act: unknown) => undefined);
beforeEach(async () => {
  record.mockClear();
  world = await someRuleEditing([seen('chk_1')]);
  ask = await serveArea(RULES_AREA, { editing: world.workbench, trail: { record }, audit });
});

/** The audit entries that `record` received. */
const audit = {
  list: vi.fn(async ({ action }: { readonly action?: string; readonly since?: string | undefined }) =>
    record.mock.calls.map(([act]) => act as { action: string }).filter((act) => act.action === action),
  ),
};

const actions = () => record.mock.calls.map(([act]) => (act as { action: string }).action);

describe('the rules', () => {
  it('are restricted to analysts and owners', async () => {
    for (const [who, status] of [
      ['anonymous', 401],
      ['viewer', 403],
      ['analyst', 200],
      ['owner', 200],
    ] as const) {
      expect((await ask(who, 'GET', '/rules')).status).toBe(status);
    }
  });

  it('are shown with the version in force, the content of the directory, and the drafts', async () => {
    await ask('analyst', 'POST', '/rules/drafts', {
      name: 'stricter',
      files: { 'a.yaml': filesWith(80)['a.yaml'] },
    });
    world.write('a.yaml', filesWith(50)['a.yaml']);
    const { json } = await ask('analyst', 'GET', '/rules');
    expect(json).toMatchObject({
      in_force: { ruleset: world.inForce().hash, version: 1, files: filesWith(60) },
      directory: {
        path: world.source.name,
        state: 'differs',
        is_writable: true,
        changes: [{ file: 'a.yaml', change: 'changed' }],
      },
      complaint: null,
      drafts: [
        {
          name: 'stricter',
          revision: 1,
          is_behind: false,
          changed_files: ['a.yaml'],
          author: { name: 'analyst' },
        },
      ],
    });
    world.remove('.');
    expect((await ask('analyst', 'GET', '/rules')).json.directory).toMatchObject({
      state: 'unreadable',
      is_writable: false,
    });
  });

  it('are returned with the description of the rule language', async () => {
    const { json } = await ask('analyst', 'GET', '/rules/language');
    expect(json.facts).toEqual([expect.objectContaining({ id: 'x.seen', operators: ['equal', 'notEqual'] })]);
    expect(Object.keys(json.schemas).sort()).toEqual([
      ...['decision', 'group', 'list', 'named_list', 'signals', 'tests'],
    ]);
  });
});

describe('unsaved files', () => {
  it('are linted, with fixes', async () => {
    const files = { ...filesWith(60), 'a.yaml': filesWith(60)['a.yaml'].replace('mode: live', 'mode: Live') };
    const { json } = await ask('analyst', 'POST', '/rules/lint', { files });
    expect(json.problems).toContainEqual(
      expect.objectContaining({
        ...{ code: 'unknown_value', severity: 'error', file: 'a.yaml', line: 5, hint: 'live' },
        fix: expect.objectContaining({ line: 5, replacement: 'live' }),
      }),
    );
  });

  it('are tested', async () => {
    const files = { ...filesWith(80), 'tests/a.yaml': filesWith(60)['tests/a.yaml'] };
    const { json } = await ask('analyst', 'POST', '/rules/test', { files });
    expect(json).toMatchObject({
      failing: [
        { name: 'seen', file: 'tests/a.yaml', failures: [{ what: 'score', expected: '60', actual: '80' }] },
      ],
      refusals: ['tests/a.yaml:1:3 test "seen" failed: score expected 60, was 80'],
    });
  });

  it('are replayed, or their errors are returned', async () => {
    const body = { files: filesWith(80) };
    const { json } = await ask('analyst', 'POST', '/rules/replay', body);
    expect(json).toMatchObject({
      state: 'done',
      replay: { corpus: { checks: 1, days: 30 }, flips: { to_block: { counts: { unlabelled: 1 } } } },
    });
    const faulty = await ask('analyst', 'POST', '/rules/replay', { ...body, files: {} });
    expect(faulty.json).toMatchObject({ state: 'faulty', replay: null });
    expect(faulty.json.problems.map(({ code }: { code: string }) => code)).toContain('missing_file');
  });

  it('are replayed for a CSV file of every check whose decision changes', async () => {
    const answer = await ask('analyst', 'POST', '/rules/replay/flips.csv', { files: filesWith(80) });
    expect(answer.header('content-disposition')).toBe('attachment; filename="flips.csv"');
    expect(answer.text.split('\n').slice(0, -1)).toEqual([
      'id,created_at,domain,label,from,to,score,new_score',
      expect.stringMatching(/^chk_\w+,2026-.*Z,example\.org,,ALLOW,BLOCK,60,80$/),
    ]);
    const faulty = await ask('analyst', 'POST', '/rules/replay/flips.csv', { files: {} });
    expect([faulty.status, faulty.json.error.code]).toEqual([422, 'rules_refused']);
  });

  it('may be sent as changes of the rules in force, or of an earlier version', async () => {
    const { digest: base_digest } = world.inForce();
    const faulty = filesWith(60)['a.yaml'].replace('mode: live', 'mode: Live');
    const lint = async (files: object) =>
      (await ask('analyst', 'POST', '/rules/lint', { files, base_digest })).json;
    const whole = { files: { ...world.inForce().files, 'a.yaml': faulty } };
    const linted = await ask('analyst', 'POST', '/rules/lint', whole);
    expect(linted.json.problems.length).toBeGreaterThan(0);
    expect(await lint({ 'a.yaml': faulty })).toEqual(linted.json);
    expect((await lint({ 'decision.yaml': null })).problems).toContainEqual(
      expect.objectContaining({ code: 'missing_file', file: 'decision.yaml' }),
    );
    const body = { files: { 'a.yaml': filesWith(80)['a.yaml'] }, base_digest };
    const replayed = await ask('analyst', 'POST', '/rules/replay', body);
    expect(replayed.json.replay.flips.to_block.counts).toMatchObject({ unlabelled: 1 });

    const other = await ask('owner', 'POST', '/rules/drafts', { files: filesWith(75) });
    await ask('owner', 'POST', `/rules/drafts/${other.json.id}/backtest`, { revision: 1 });
    await ask('owner', 'POST', `/rules/drafts/${other.json.id}/publish`, { revision: 1 });
    expect(world.inForce().digest).not.toBe(base_digest);
    expect(await lint({ 'a.yaml': faulty })).toEqual(linted.json);
    for (const path of ['/rules/lint', '/rules/replay']) {
      const refused = await ask('analyst', 'POST', path, { ...body, base_digest: 'never in force' });
      expect([path, refused.status, refused.json.error.code]).toEqual([path, 409, 'rules_changed']);
    }
  });

  it('are files of a rules directory', async () => {
    const { status, json } = await ask('analyst', 'POST', '/rules/lint', { files: { '../x.yaml': '' } });
    expect([status, json.error.details[0].path]).toEqual([400, 'body/files/../x.yaml']);
  });
});

describe('a process that works on rules', () => {
  /** All requests go to a program; `text` is its code for a message `m`. */
  const askWith = (text: string, limitMs = 300) => {
    const opening = { config: {} as Config, providerOptions: {}, limitMs };
    const jobs = queueRuleJobs({ ...opening, entry: aProgram(text) });
    onTestFinished(() => jobs.close());
    const workbench = new RuleEditing({ ...world.workbench.parts, jobs });
    return serveArea(RULES_AREA, { editing: workbench, trail: { record }, audit });
  };

  it.each([
    ['never answers', '', 300, 'the rules were not worked out within 0.3 s'],
    [
      'is killed in the midst',
      `if (m.job) process.kill(process.pid, 'SIGKILL');`,
      // On a busy machine a process takes time to start.
      30_000,
      'the process that works on rules ended with SIGKILL before it answered',
    ],
  ])('that %s makes the client try again', async (_what, text, limitMs, message) => {
    const { json } = await ask('analyst', 'POST', '/rules/drafts', { files: filesWith(80) });
    const path = `/rules/drafts/${json.id}`;
    const asked = await askWith(text, limitMs);
    const files = filesWith(80);
    for (const [method, what, body] of [
      ['POST', '/rules/test', { files }],
      ['POST', '/rules/replay', { files }],
      ['GET', '/rules/comparison?before=1&after=in_force', undefined],
      ['GET', '/rules/shadow', undefined],
      ['POST', '/rules/merge', { base: files, mine: files, theirs: 'in_force' }],
      ['POST', `${path}/backtest`, { revision: 1 }],
      ['POST', '/rules/versions/1/rollback', {}],
    ] as const) {
      const answer = await asked('analyst', method, what, body);
      const { code, details } = answer.json.error;
      expect([what, answer.status, code, answer.header('retry-after')]).toEqual([what, 503, 'busy', '2']);
      expect(details).toEqual([{ message }]);
    }
    expect((await ask('analyst', 'GET', path)).json).toMatchObject({ revision: 1, backtest: null });
  });

  it('that lints for too long reports that the rules are too large', async () => {
    const asked = await askWith('');
    const answer = await asked('analyst', 'POST', '/rules/lint', { files: filesWith(80) });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'rules_too_large']);
  });

  it.each(['lint', 'replay'] as const)(
    'cancels a %s whose client has disconnected, and runs the next',
    async (name) => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
      const never = (signal: AbortSignal | undefined) =>
        new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => {
            reject(signal.reason);
            end(signal.reason);
          });
          begin();
        });
      const { jobs } = world.workbench.parts;
      const isHeld = (files: RuleFiles) => files['a.yaml'] === 'older';
      const held: RuleJobs = {
        ...jobs,
        lint: (files, asking) => (isHeld(files) ? never(asking?.signal) : jobs.lint(files, asking)),
        replay: (order, asking) =>
          isHeld(order.candidate) ? never(asking?.signal) : jobs.replay(order, asking),
      };
      const editing = new RuleEditing({ ...world.workbench.parts, jobs: held });
      const asked = await serveArea(RULES_AREA, { editing, trail: { record }, audit });
      const leaving = new AbortController();
      const older = asked(
        'analyst',
        'POST',
        `/rules/${name}`,
        { files: { 'a.yaml': 'older' } },
        leaving.signal,
      );
      await begun;
      leaving.abort();
      await expect(older).rejects.toMatchObject({ name: 'AbortError' });
      expect(await ended).toBeInstanceOf(DOMException);
      const newer = await asked('analyst', 'POST', `/rules/${name}`, { files: filesWith(80) });
      expect(newer.status).toBe(200);
    },
  );
});

describe('a draft', () => {
  it('is saved, found, saved again and discarded, each with an audit entry', async () => {
    const created = await ask('analyst', 'POST', '/rules/drafts', {});
    expect([created.status, created.json.revision]).toEqual([201, 1]);
    const path = `/rules/drafts/${created.json.id}`;
    const saved = await ask('owner', 'PATCH', path, {
      revision: 1,
      files: { 'a.yaml': 'group: b\n', 'tests/a.yaml': null },
    });
    expect(saved.json).toMatchObject({
      revision: 2,
      saved_by: { name: 'owner' },
      changed_files: ['a.yaml', 'tests/a.yaml'],
    });
    expect((await ask('analyst', 'GET', path)).json).toEqual(saved.json);
    const late = await ask('analyst', 'PATCH', path, { revision: 1, name: 'mine' });
    expect([late.status, late.json.error]).toEqual([
      409,
      expect.objectContaining({
        code: 'draft_changed',
        details: [expect.objectContaining({ saved_by: 'owner' })],
      }),
    ]);
    expect((await ask('analyst', 'DELETE', path)).status).toBe(204);
    expect((await ask('analyst', 'GET', path)).status).toBe(404);
    expect(actions()).toEqual(['rules.draft_saved', 'rules.draft_saved', 'rules.draft_discarded']);
  });

  it('is published once it was backtested: it decides the next check, and the audit trail names the person', async () => {
    const { json } = await ask('analyst', 'POST', '/rules/drafts', { files: filesWith(80) });
    const path = `/rules/drafts/${json.id}`;
    const early = await ask('analyst', 'POST', `${path}/publish`, { revision: 1 });
    expect([early.status, early.json.error.code]).toEqual([409, 'backtest_required']);
    const backtest = await ask('analyst', 'POST', `${path}/backtest`, { revision: 1, cost_ratio: 5 });
    expect(backtest.json).toMatchObject({ state: 'done', replay: { sweep: { base: { cost_ratio: 5 } } } });
    expect((await ask('analyst', 'GET', path)).json.backtest).toMatchObject({
      revision: 1,
      to_block: 1,
      by: 'analyst',
    });
    const published = await ask('analyst', 'POST', `${path}/publish`, { revision: 1 });
    expect(published.json).toMatchObject({ state: 'in_force', ruleset: world.inForce().hash, version: 2 });
    expect((await ask('analyst', 'GET', path)).status).toBe(404);
    expect(record).toHaveBeenLastCalledWith(
      expect.objectContaining({
        action: 'rules.published',
        detail: expect.objectContaining({ version: 2, to_block: 1 }),
      }),
    );
  });

  it('with errors is not backtested', async () => {
    const { json } = await ask('analyst', 'POST', '/rules/drafts', { files: { 'a.yaml': 'group: a\n' } });
    const backtest = await ask('analyst', 'POST', `/rules/drafts/${json.id}/backtest`, { revision: 1 });
    expect(backtest.json).toMatchObject({ state: 'faulty' });
  });

  it('that is behind the rules in force is merged with them, with both texts where both changed a line', async () => {
    const { json } = await ask('analyst', 'POST', '/rules/drafts', {
      files: { 'a.yaml': filesWith(80)['a.yaml'] },
    });
    const other = await ask('owner', 'POST', '/rules/drafts', { files: filesWith(75) });
    await ask('owner', 'POST', `/rules/drafts/${other.json.id}/backtest`, { revision: 1 });
    await ask('owner', 'POST', `/rules/drafts/${other.json.id}/publish`, { revision: 1 });
    const path = `/rules/drafts/${json.id}`;
    expect((await ask('analyst', 'GET', path)).json.is_behind).toBe(true);
    const order = { base: json.base_files, mine: json.files, theirs: 'in_force' };
    const merged = await ask('analyst', 'POST', '/rules/merge', order);
    expect(merged.json).toMatchObject({
      digest: world.inForce().digest,
      conflicts: [{ file: 'a.yaml' }],
      files: { 'a.yaml': expect.stringContaining('<<<<<<< yours') },
    });
    const up = await ask('analyst', 'PATCH', path, {
      revision: 1,
      base_digest: merged.json.digest,
      files: { 'tests/a.yaml': filesWith(75)['tests/a.yaml'] },
    });
    expect(up.json).toMatchObject({ revision: 2, is_behind: false, changed_files: ['a.yaml'] });
  });

  it('that another person has saved is merged with the text typed meanwhile', async () => {
    const { json } = await ask('analyst', 'POST', '/rules/drafts', { files: {} });
    const files = { 'deny.yaml': '[]\n' };
    await ask('owner', 'PATCH', `/rules/drafts/${json.id}`, { revision: 1, files });
    const [base, mine] = [{}, { 'allow.yaml': '[]\n' }];
    const merged = await ask('analyst', 'POST', '/rules/merge', { base, mine, theirs: json.id });
    expect(merged.json).toEqual({
      files: { ...json.files, ...files, ...mine },
      ...{ conflicts: [], digest: null },
    });
    const gone = await ask('analyst', 'POST', '/rules/merge', { base, mine, theirs: 'drf_gone' });
    expect(gone.status).toBe(404);
  });
});

describe('versions', () => {
  const publish = async (amount: number, why?: string) => {
    const { json } = await ask('analyst', 'POST', '/rules/drafts', { files: filesWith(amount) });
    await ask('analyst', 'POST', `/rules/drafts/${json.id}/backtest`, { revision: 1 });
    return ask('analyst', 'POST', `/rules/drafts/${json.id}/publish`, { revision: 1, why });
  };

  it('have the reason that a person gave, and none where none was given', async () => {
    await publish(80, 'Too many throw-away names.');
    await publish(90);
    await ask('analyst', 'POST', '/rules/versions/1/rollback', { why: 'It blocked customers.' });
    const { json } = await ask('analyst', 'GET', '/rules/versions');
    expect(json.versions.map(({ why }: { why: string | null }) => why)).toEqual([
      ...['It blocked customers.', null, 'Too many throw-away names.', null],
    ]);
    // For older versions, the entries of their time are read, however many were added since.
    await ask('analyst', 'GET', '/rules/versions?before=3&limit=1');
    const { at } = json.versions.find(({ version }: { version: number }) => version === 2);
    expect(audit.list.mock.lastCall?.[0]).toMatchObject({ since: at });
  });

  it('are listed, shown, compared and rolled back to', async () => {
    const first = world.inForce().hash;
    await publish(80);
    const { json } = await ask('analyst', 'GET', '/rules/versions');
    expect(json).toMatchObject({
      total: 2,
      versions: [
        {
          version: 2,
          author: 'analyst@example.com',
          in_force: true,
          changes: [{ file: 'a.yaml' }, { file: 'tests/a.yaml' }],
        },
        { version: 1, in_force: false },
      ],
    });
    expect((await ask('analyst', 'GET', '/rules/versions?limit=1&before=2')).json.versions).toMatchObject([
      { version: 1 },
    ]);
    expect((await ask('analyst', 'GET', `/rules/versions/${first}`)).json).toMatchObject({
      version: 1,
      files: filesWith(60),
    });
    const { json: compared } = await ask('analyst', 'GET', '/rules/comparison?before=1&after=in_force');
    expect(compared).toMatchObject({
      files: [{ file: 'a.yaml' }, { file: 'tests/a.yaml' }],
      faulty: [],
      changes: [{ id: 'seen', decides: true, details: [{ what: 'points', before: 60, after: 80 }] }],
    });
    expect(compared.patch).toContain('--- a/a.yaml');
    const back = await ask('owner', 'POST', '/rules/versions/1/rollback', {});
    expect(back.json).toMatchObject({ state: 'in_force', ruleset: first, version: 3 });
    expect(actions()).toContain('rules.rolled_back');
    expect(await world.versions.last()).toMatchObject({ author: 'owner@example.com' });
  });

  it('that do not exist are not found, with any id', async () => {
    for (const path of [
      '/rules/versions/9',
      '/rules/versions/latest',
      '/rules/comparison?before=1&after=drf_9',
    ]) {
      expect((await ask('analyst', 'GET', path)).status).toBe(404);
    }
    expect((await ask('analyst', 'POST', '/rules/versions/9/rollback', {})).status).toBe(404);
  });
});

describe('the shadow board', () => {
  it('shows the results on live traffic', async () => {
    const { json } = await ask('analyst', 'GET', '/rules/shadow?days=7');
    expect(json).toMatchObject({ checks: 1, challenger: null, rules: [] });
  });

  it('makes a draft from the challenger, which is published like any other draft', async () => {
    const hash = world.challenge({ ...filesWith(80), 'signals.yaml': '{}\n' });
    const { status, json } = await ask('analyst', 'POST', '/rules/challenger/draft', { ruleset: hash });
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: `Challenger ${hash.slice(0, 8)}`, revision: 1, files: filesWith(80) });
    expect(actions()).toEqual(['rules.draft_saved']);
    const path = `/rules/drafts/${json.id}`;
    const early = await ask('analyst', 'POST', `${path}/publish`, { revision: 1 });
    expect(early.json.error.code).toBe('backtest_required');
    await ask('analyst', 'POST', `${path}/backtest`, { revision: 1 });
    const published = await ask('analyst', 'POST', `${path}/publish`, { revision: 1, why: 'It held.' });
    expect(published.json).toMatchObject({ state: 'in_force' });
    expect(world.inForce().files).toEqual(filesWith(80));
  });

  it('makes no draft where the challenger has changed, or there is none', async () => {
    const draft = (ruleset: string) => ask('analyst', 'POST', '/rules/challenger/draft', { ruleset });
    expect((await draft('0'.repeat(16))).json.error.code).toBe('not_found');
    world.challenge(filesWith(80));
    const { status, json } = await draft('0'.repeat(16));
    expect([status, json.error.code]).toEqual([409, 'challenger_changed']);
    expect(actions()).toEqual([]);
  });
});
