import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StartupError } from '../../../src/errors.ts';
import { packageRoot } from '../../../src/lib/paths.ts';
import { MemoizedDecider } from '../../../src/rules/memoized-decider.ts';
import { parseExposition, sampleOf } from '../../observability/exposition.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import type { Answer } from '../../support/transmit.ts';

const TOKEN = 'a-token-for-the-tests-of-challengers';
const ADDRESSES = ['jane@example.com', 'info@example.com', 'x@mailinator.com', 'jane@no-mail.example'];

/** The shipped rules, with another score from which they block. */
function rulesThatBlockFrom(score: number): {
  readonly dir: string;
  readonly blockFrom: (n: number) => void;
} {
  const dir = temporaryDirectory();
  cpSync(join(packageRoot, 'rules'), dir, { recursive: true });
  // They expect the shipped score, and a reload would refuse rules whose tests fail.
  rmSync(join(dir, 'tests'), { recursive: true });
  const file = join(dir, 'decision.yaml');
  const text = readFileSync(file, 'utf8');
  const blockFrom = (n: number) =>
    writeFileSync(file, text.replace('block_score: { value: 70', `block_score: { value: ${n}`));
  blockFrom(score);
  return { dir, blockFrom };
}

async function started(rules: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const service = await startTestService({ rules, metrics: { token: TOKEN }, ...more });
  onTestFinished(() => service.stop());
  return service;
}

interface Row {
  readonly environment: string;
  readonly action: string;
  readonly risk_score: number;
  // biome-ignore lint/suspicious/noExplicitAny: what is recorded is what the tests look at
  readonly challenger: any;
  readonly shadow_rules: unknown;
}

async function rowsOf(service: TestService): Promise<readonly Row[]> {
  const rows = (await service.rows(
    'SELECT environment, action, risk_score, challenger, shadow_rules FROM checks ORDER BY created_at, id',
  )) as unknown as readonly Row[];
  return rows.map((row) => ({
    ...row,
    challenger: row.challenger === null ? null : JSON.parse(row.challenger),
    shadow_rules: row.shadow_rules === null ? null : JSON.parse(String(row.shadow_rules)),
  }));
}

async function sample(service: TestService, id: string) {
  const { text } = await service.send({ path: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
  return sampleOf(parseExposition(text), id);
}
const count = (service: TestService, result: string) =>
  sample(service, `postern_challenger_decisions_total{result="${result}"}`);

/** The members that may differ between two equal answers. */
function essence({ status, headers, json }: Answer) {
  const { id: _id, created_at: _at, ...body } = json;
  const names = ['date', 'request-id', 'ratelimit'];
  return {
    status,
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
  };
}

describe('a challenger', () => {
  it('is recorded beside each live check, and changes no answer and no header', async () => {
    const without = await started({});
    const challenged = await started({ challenger_dir: rulesThatBlockFrom(10).dir });
    const answers: Answer[] = [];
    for (const address of ADDRESSES) {
      const answer = await challenged.check(address);
      expect(essence(answer)).toEqual(essence(await without.check(address)));
      expect(JSON.stringify([answer.headers, answer.text])).not.toMatch(/challeng/i);
      answers.push(answer);
    }
    expect((await rowsOf(without)).map(({ challenger }) => challenger)).toEqual([null, null, null, null]);
    const rows = await rowsOf(challenged);
    expect(rows.map(({ action }) => action)).toEqual(answers.map(({ json }) => json.summary.action));
    expect(rows.map(({ challenger }) => challenger.action)).toEqual(['ALLOW', 'BLOCK', 'BLOCK', 'BLOCK']);
    for (const { risk_score, challenger } of rows) {
      expect(challenger).toEqual({
        ruleset: expect.stringMatching(/^[0-9a-f]{16}$/),
        action: expect.any(String),
        risk_score,
        risk_level: expect.any(String),
      });
      expect(challenger.ruleset).not.toBe(answers[0]?.headers['postern-ruleset']);
    }
    expect(await count(challenged, 'would_block')).toBe(2);
    expect(await count(challenged, 'would_allow')).toBe(0);
    expect(await count(challenged, 'agree')).toBe(2);
    expect(
      await sample(challenged, `postern_challenger_info{ruleset="${rows[0]?.challenger.ruleset}"}`),
    ).toBe(1);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])(
    'that %s fails no check: the check is answered and recorded without it, and counted',
    async (_how, judge) => {
      const [without, challenged] = [
        await started({}),
        await started({ challenger_dir: rulesThatBlockFrom(10).dir }),
      ];
      const judging = vi.spyOn(MemoizedDecider.prototype, 'judge').mockImplementation(judge);
      onTestFinished(() => judging.mockRestore());
      for (const address of ADDRESSES) {
        expect(essence(await challenged.check(address))).toEqual(essence(await without.check(address)));
      }
      expect(judging).toHaveBeenCalledTimes(ADDRESSES.length);
      expect((await rowsOf(challenged)).map(({ challenger }) => challenger)).toEqual([
        null,
        null,
        null,
        null,
      ]);
      expect(await count(challenged, 'failed')).toBe(ADDRESSES.length);
      expect(await count(challenged, 'agree')).toBe(0);
    },
  );

  it('is not used for test keys', async () => {
    const service = await started({ challenger_dir: rulesThatBlockFrom(10).dir });
    const authorization = `Bearer ${await service.createKey('test')}`;
    const { status } = await service.check('role@postern.test', { headers: { authorization } });
    expect(status).toBe(200);
    expect(await rowsOf(service)).toMatchObject([{ environment: 'test', challenger: null }]);
    expect(await count(service, 'would_block')).toBe(0);
  });

  it('is reloaded with the rules; an invalid one keeps the previous one beside the new rules', async () => {
    const rules = rulesThatBlockFrom(70);
    const challenger = rulesThatBlockFrom(10);
    const service = await started({ dir: rules.dir, challenger_dir: challenger.dir, watch: false });
    const challenge = async () => {
      const { headers } = await service.check('info@example.com');
      return { by: headers['postern-ruleset'], ...(await rowsOf(service)).at(-1)?.challenger };
    };
    const first = await challenge();
    expect(first.action).toBe('BLOCK');

    challenger.blockFrom(60);
    await service.reload();
    const second = await challenge();
    expect(second).toMatchObject({ by: first.by, action: 'ALLOW' });

    writeFileSync(join(challenger.dir, 'decision.yaml'), 'levels: half edi');
    rules.blockFrom(80);
    await service.reload();
    const third = await challenge();
    expect(third.ruleset).toBe(second.ruleset);
    expect(third.by).not.toBe(first.by);
    expect(await sample(service, 'postern_challenger_loads_total{result="failure"}')).toBe(1);
    expect(await sample(service, 'postern_rules_loads_total{result="failure"}')).toBe(0);
  });

  it('that is invalid stops the start, and its faults are listed beside those of the rules', async () => {
    const [rules, challenger] = [temporaryDirectory(), temporaryDirectory()];
    const start = startTestService({ rules: { dir: rules, challenger_dir: challenger } });
    const error = await start.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartupError);
    const { faults } = error as StartupError;
    for (const dir of [rules, challenger]) {
      expect(faults.filter((fault) => fault.startsWith(dir) && fault.includes('missing_file'))).toHaveLength(
        1,
      );
    }
  });

  it.each(['hmac', 'none'])('leaves no part of the address in a record under %s', async (mode) => {
    const { dir } = rulesThatBlockFrom(10);
    for (const path of ['address.yaml', 'domain.yaml', 'velocity.yaml']) {
      rmSync(join(dir, path));
    }
    // A rule of the challenger's that reads a personal fact: its own ledger would quote the fact.
    writeFileSync(
      join(dir, 'personal.yaml'),
      `group: personal
description: Reads what quotes the address.
max_score: 50
rules:
  - id: misspelt
    description: Probably misspelt.
    owner: risk
    mode: live
    conditions: { all: [{ fact: typo.suggestion, operator: equal, value: gmail.com }] }
    event: { type: points, params: { points: 50 } }
`,
    );
    const service = await started({ challenger_dir: dir }, { privacy: { store_addresses: mode } });
    expect((await service.check('jane@gmial.com')).status).toBe(200);
    const [row] = await rowsOf(service);
    expect(row?.challenger).toMatchObject({ action: 'BLOCK', risk_score: 50 });
    expect(JSON.stringify(row)).not.toMatch(/gmail|jane/);
  });
});

describe('a shadow rule', () => {
  it('is recorded as tried whether it fires or not, changes no answer, and is not tried with test keys', async () => {
    const { dir } = rulesThatBlockFrom(70);
    writeFileSync(
      join(dir, 'trial.yaml'),
      `group: trial
description: What is tried.
max_score: 100
rules:
  - id: role_blocks
    description: A role account.
    owner: risk
    mode: shadow
    conditions: { all: [{ fact: domain.is_role_account, operator: equal, value: true }] }
    event: { type: points, params: { points: 100 } }
`,
    );
    const [without, trying] = [await started({}), await started({ dir })];
    for (const address of ['jane@example.com', 'info@example.com']) {
      expect(essence(await trying.check(address))).toEqual(essence(await without.check(address)));
    }
    const authorization = `Bearer ${await trying.createKey('test')}`;
    await trying.check('role@postern.test', { headers: { authorization } });
    // Beside the shadow rules that are shipped.
    const tried = expect.objectContaining({ role_blocks: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect((await rowsOf(trying)).map(({ shadow_rules }) => shadow_rules)).toEqual([tried, tried, null]);
    expect((await rowsOf(without))[0]?.shadow_rules).not.toHaveProperty('role_blocks');
  });
});
