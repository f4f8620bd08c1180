import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCollector } from '../../../src/app/compose/pipeline.ts';
import { loadConfig } from '../../../src/app/config/load-config.ts';
import { readRuleSources } from '../../../src/checks/rules-directory.ts';
import { readAddress } from '../../../src/email/read-address.ts';
import { LabelWords } from '../../../src/labels/label.ts';
import type { Format } from '../../../src/lib/row-file.ts';
import { RowFaults } from '../../../src/lib/row-file.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import type { Address } from '../../../src/provider-kit/index.ts';
import type { Case } from '../../../src/rule-lab/backtest/case.ts';
import {
  type CollectFacts,
  collectForBoth,
  openLabelledFile,
} from '../../../src/rule-lab/backtest/labelled-file.ts';
import { compileRuleSet } from '../../../src/rules/compile.ts';
import { ordinaryFacts } from '../../../src/rules/described-facts.ts';
import { lintRules } from '../../../src/rules/lint/lint-rules.ts';
import { aWorld, type World } from '../../cli/world.ts';
import { catalogue } from '../../rules/catalogue.ts';
import { allOf, chunksOf } from '../../support/chunks.ts';

const collect: CollectFacts = ({ domain }) => ({ 'domain.is_known_disposable': domain === 'mailinator.com' });
const collectOtherwise: CollectFacts = async () => ({ 'domain.is_known_disposable': false });

interface Given {
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly words?: LabelWords;
  readonly candidate?: CollectFacts;
}

async function read(text: string, given: Given = {}) {
  const faults = new RowFaults();
  const opened = await openLabelledFile({
    name: 'a.csv',
    format: given.format ?? 'csv',
    chunks: chunksOf(text),
    columns: given.columns ?? [],
    words: given.words ?? new LabelWords(),
    catalogue,
    collect: { base: collect, candidate: given.candidate ?? collect },
    bucketOf: () => null,
    faults,
  });
  const cases = await allOf(opened);
  return { cases, faults: faults.describe('a.csv') };
}

const brief = ({ id, domain, label }: Case) => [id, domain, label];
const linesOf = (...rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('rows with an address', () => {
  it('are cases with the facts of the address, and its label', async () => {
    const { cases, faults } = await read(
      'email,label,created_at\nJ.Doe+x@gmail.com,good,2026-01-02T03:04:05+01:00\nx@mailinator.com,BAD,\n',
    );
    expect(cases).toEqual([
      {
        id: 'a.csv:2',
        createdAt: '2026-01-02T02:04:05.000Z',
        domain: 'gmail.com',
        label: 'good',
        facts: { 'domain.is_known_disposable': false },
        candidateFacts: { 'domain.is_known_disposable': false },
        recorded: null,
        addressHmac: null,
      },
      {
        id: 'a.csv:3',
        createdAt: null,
        domain: 'mailinator.com',
        label: 'bad',
        facts: { 'domain.is_known_disposable': true },
        candidateFacts: { 'domain.is_known_disposable': true },
        recorded: null,
        addressHmac: null,
      },
    ]);
    expect(faults).toEqual([]);
  });

  it('are assessed once where both sides have the same facts', async () => {
    const [only] = (await read('email\nx@mailinator.com\n')).cases;
    expect(only?.candidateFacts).toBe(only?.facts);
  });

  it('are assessed for the candidate too where its facts differ', async () => {
    const [only] = (await read('email\nx@mailinator.com\n', { candidate: collectOtherwise })).cases;
    expect(only).toMatchObject({
      facts: { 'domain.is_known_disposable': true },
      candidateFacts: { 'domain.is_known_disposable': false },
    });
  });

  it('without a label are unlabelled cases, and so are all where no column has the name of a label', async () => {
    expect((await read('email,label\na@x.org,\n')).cases.map(brief)).toEqual([['a.csv:2', 'x.org', null]]);
    expect((await read('email,verdict\na@x.org,bad\n')).cases.map(brief)).toEqual([
      ['a.csv:2', 'x.org', null],
    ]);
  });

  it('are read by the given columns and words', async () => {
    const { cases } = await read('outcome;contact\nfraud;a@x.org\n', {
      columns: ['Contact', 'outcome'],
      words: new LabelWords({ bad: ['fraud'] }),
    });
    expect(cases.map(brief)).toEqual([['a.csv:2', 'x.org', 'bad']]);
  });

  it('may have no header', async () => {
    const { cases } = await read('a@x.org,bad\nb@y.org,good\n', { columns: ['1', '2'] });
    expect(cases.map(brief)).toEqual([
      ['a.csv:1', 'x.org', 'bad'],
      ['a.csv:2', 'y.org', 'good'],
    ]);
  });

  it('that cannot be read are refused with line and reason, and the others are cases', async () => {
    const { cases, faults } = await read(
      'email,label\nnobody,good\n,bad\na@x.org,fraud\nb@y.org,good\n"a@x.org,good\n',
    );
    expect(cases.map(brief)).toEqual([['a.csv:5', 'y.org', 'good']]);
    expect(faults).toEqual([
      expect.stringMatching(/^a\.csv:2 it is no address: .{10,}$/),
      'a.csv:3 there is no address',
      'a.csv:4 "fraud" is neither good nor bad: --good fraud or --bad fraud says which it means',
      'a.csv:6 a quote is not closed: nothing from here on is read',
    ]);
  });

  it('keep the order of the file, however long the facts of each row take', async () => {
    const addresses = Array.from({ length: 1_100 }, (_, index) => `u${index}@x.org`);
    const slow: CollectFacts = async ({ localPart }) => {
      for (let turn = localPart.length % 3; turn > 0; turn--) await undefined;
      return { 'syntax.fault_count': Number(localPart.slice(1)) };
    };
    const opened = await openLabelledFile({
      name: 'a.csv',
      format: 'csv',
      chunks: chunksOf(['email', ...addresses].join('\n')),
      columns: [],
      words: new LabelWords(),
      catalogue,
      collect: { base: slow, candidate: slow },
      bucketOf: () => null,
      faults: new RowFaults(),
    });
    const found = (await allOf(opened)).map(({ facts }) => facts['syntax.fault_count']);
    expect(found).toEqual(addresses.map((_, index) => index));
  });
});

describe('lines with facts', () => {
  const jsonl = { format: 'jsonl' } as const;

  it('are cases with these facts; missing ones get ordinary values', async () => {
    const row = {
      id: 'chk_1',
      created_at: '2026-01-02T03:04:05.000Z',
      domain: 'x.org',
      label: 'bad',
      facts: { 'domain.has_mx': null, 'mx.host_count': 2 },
    };
    const { cases, faults } = await read(linesOf(row, { facts: {} }), jsonl);
    expect(faults).toEqual([]);
    const facts = { ...ordinaryFacts(catalogue), 'domain.has_mx': null, 'mx.host_count': 2 };
    expect(cases[0]).toEqual({
      id: 'chk_1',
      createdAt: '2026-01-02T03:04:05.000Z',
      domain: 'x.org',
      label: 'bad',
      facts,
      candidateFacts: facts,
      recorded: null,
      addressHmac: null,
    });
    expect(cases[1]).toMatchObject({ id: 'a.csv:2', createdAt: null, domain: null, label: null });
    expect(cases[1]?.facts).toEqual(ordinaryFacts(catalogue));
  });

  it('may have a label that the first line lacks, and may be mixed with lines with addresses', async () => {
    const text = linesOf({ email: 'a@x.org', facts: null }, { facts: {}, label: 'bad' });
    expect((await read(text, jsonl)).cases.map(brief)).toEqual([
      ['a.csv:1', 'x.org', null],
      ['a.csv:2', null, 'bad'],
    ]);
  });

  it.each([
    [[], '"facts" is no object of facts to values'],
    ['x', '"facts" is no object of facts to values'],
    [{ 'domain.has_mix': true }, 'no provider answers a fact "domain.has_mix" (did you mean domain.has_mx?)'],
    [{ risk_score: 3 }, 'no provider answers a fact "risk_score"'],
    [{ 'domain.has_mx': 'yes' }, 'domain.has_mx is true or false, or null where it is unknown'],
    [{ 'mx.host_count': 1.5 }, 'mx.host_count is a whole number, or null where it is unknown'],
    [{ 'syntax.valid_format': null }, 'syntax.valid_format is true or false; it is never unknown'],
    [
      { 'mx.provider': { a: 1 } },
      'mx.provider is one of other, google, microsoft, or null where it is unknown',
    ],
  ])('with %j are refused', async (facts, reason) => {
    const { cases, faults } = await read(linesOf({ facts: {} }, { facts }), jsonl);
    expect(cases).toHaveLength(1);
    expect(faults).toEqual([`a.csv:2 ${reason}`]);
  });
});

describe('a file of labelled rows', () => {
  it.each([
    [
      'csv',
      'id,contact\n1,a\n',
      [],
      "which column holds the address? --columns names it, then the label's; there are id, contact",
    ],
    ['csv', 'facts,contact\n1,a\n', [], 'which column holds the address?'],
    ['csv', 'email,label\na@x.org,\n', ['emial'], 'there is no column "emial" (did you mean email?)'],
    [
      'csv',
      'id,email,label\n1,a@x.org,\n',
      ['email', 'label', 'id'],
      '--columns names 3 columns, and takes 2 at most: the address, the label',
    ],
    ['csv', 'email,label\na@x.org,\n', ['email', 'Email'], '--columns names "email" twice'],
    ['jsonl', 'a,b\n'.repeat(1_000), [], 'the first 1000 lines are no JSON objects'],
  ] as const)(
    'of %s that cannot be interpreted is refused completely',
    async (format, text, columns, message) => {
      await expect(read(text, { format, columns })).rejects.toThrow(message);
    },
  );

  it.each([[[]], [['email', 'verdict']]])(
    'of JSON lines may have an address only in later lines, with %j wanted',
    async (columns) => {
      const text = linesOf({ id: 1 }, { id: 2, email: 'a@x.org', label: 'bad', verdict: 'bad' });
      const { cases, faults } = await read(text, { format: 'jsonl', columns });
      expect(cases.map(({ domain, label }) => [domain, label])).toEqual([['x.org', 'bad']]);
      expect(faults).toEqual(['a.csv:1 there is no address']);
    },
  );

  it('that is empty has no cases', async () => {
    expect(await read('')).toEqual({ cases: [], faults: [] });
  });

  it('is refused completely where its facts cannot be collected', async () => {
    const failing: CollectFacts = () => Promise.reject(new Error('a bug'));
    await expect(read('email\na@x.org\n', { candidate: failing })).rejects.toThrow('a bug');
  });
});

const NOW = Date.UTC(2026, 10, 21);

/** How both sides collect facts: by the shipped rules, and by the same with some files replaced. */
async function bothSides(files: Readonly<Record<string, string>>) {
  const [base, candidate] = [aWorld(), aWorld(files)];
  const loaded = await loadConfig({ files: [], env: {}, cwd: base.cwd, configDir: join(base.cwd, 'config') });
  const { collector, providerOptions: options } = await openCollector({
    loaded,
    log: createLogger('silent'),
  });
  const compile = async (world: World) => {
    const { definitions } = lintRules(await readRuleSources(join(world.cwd, 'rules')), collector.catalogue, {
      now: NOW,
    });
    if (!definitions) throw new Error('the rules of the test have errors');
    return compileRuleSet(definitions, NOW);
  };
  const ruleSets = { base: await compile(base), candidate: await compile(candidate) };
  return collectForBoth({ collector, inputs: { options }, ruleSets, world: 'local' });
}

function addressOf(email: string): Address {
  const reading = readAddress(email);
  if (!reading.ok) throw new Error(reading.refusal.message);
  return reading.address;
}

describe('the way to collect the facts of both sides', () => {
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
