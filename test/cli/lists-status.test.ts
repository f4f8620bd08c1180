import { describe, expect, it } from 'vitest';
import { showLists } from '../../src/cli/lists.ts';
import { Shell } from '../../src/cli/shell.ts';
import { aWorld, sinkOf } from './world.ts';

const entry = (value: string, expires = '') =>
  `- { value: ${value}, reason: r, owner: o${expires && `, expires: ${expires}`} }\n`;

interface Answer {
  readonly own: unknown;
  readonly data: readonly { readonly provider: string; readonly date: string | null }[];
}

describe('lists status', () => {
  it('counts entries that end within thirty days, and entries that have ended', async () => {
    const deny = [
      entry('for-ever.org'),
      entry('later.org', '2027-01-01'),
      entry('soon.org', '2026-12-20'),
      entry('today.org', '2026-11-20'),
      entry('ended.org', '2026-11-19'),
    ];
    const { cwd } = aWorld({ 'rules/deny.yaml': deny.join('') });
    const answers: string[] = [];
    const stdout = sinkOf((text) => answers.push(text));
    const stderr = sinkOf(() => undefined);
    const shell = new Shell({ stdout, stderr, env: {}, cwd, configDir: `${cwd}/config` });
    shell.options = { json: true };
    // The last millisecond of soon.org's thirtieth day before its end, when today.org is still valid.
    const clock = { now: () => Date.parse('2026-11-20T23:59:59.999Z') };
    await showLists(shell, clock);
    const { own, data }: Answer = JSON.parse(answers.join(''));
    expect(own).toEqual([
      { list: 'allow', file: 'rules/allow.yaml', entries: 0, expiring_soon: 0, expired: 0 },
      { list: 'deny', file: 'rules/deny.yaml', entries: 5, expiring_soon: 1, expired: 1 },
    ]);
    const figures = data.find(({ provider }) => provider === 'tld');
    const days = Math.floor((clock.now() - Date.parse(figures?.date ?? '')) / 86_400_000);
    expect(figures).toMatchObject({ name: 'data/abuse.yaml', version: null, age_days: days });
  });

  it('names each list in use with its version and number of entries, and none of a provider that is off', async () => {
    const world = aWorld({ 'a.yaml': 'providers: { enabled: [syntax, disposable, lists] }\n' });
    const { data } = (await world.postern(['lists', 'status', '--config', 'a.yaml', '--json'])).json();
    expect(data).toEqual([
      expect.objectContaining({ name: 'fakefilter/confirmed-services' }),
      {
        ...{ provider: 'disposable', name: '@dahoom/disposable-email' },
        version: expect.stringMatching(/^\d+\./),
        ...{ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), age_days: expect.any(Number) },
        entries: expect.any(Number),
      },
      expect.objectContaining({ name: 'disposable-domains' }),
      expect.objectContaining({ name: 'disposable-email-domains' }),
      expect.objectContaining({ name: 'disposable-email-domains-js' }),
      expect.objectContaining({ name: 'fakefilter' }),
      expect.objectContaining({ name: 'is-burner-email' }),
      expect.objectContaining({ name: 'mailchecker' }),
      expect.objectContaining({ name: 'data/established.txt', version: null }),
      expect.objectContaining({ name: 'data/exempt.yaml', version: null }),
      expect.objectContaining({ name: 'data/names.yaml', version: null }),
      expect.objectContaining({ name: 'data/registries.yaml', version: null }),
    ]);
    for (const { entries } of data) expect(entries).toBeGreaterThan(0);
  });

  it('prints a table by default', async () => {
    const world = aWorld({ 'rules/deny.yaml': entry('ended.org', '2020-01-01') });
    const { code, stdout } = await world.postern(['lists', 'status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tld +data\/abuse\.yaml +\d+ +\d{4}-\d\d-\d\d +\d+$/m);
    expect(stdout).toMatch(/^deny +rules\/deny\.yaml +1 +0 +1$/m);
  });

  it('cannot run with rules that have an error, and lists it', async () => {
    const world = aWorld({ 'rules/deny.yaml': '- { value: x.org }\n' });
    const { code, stdout, stderr } = await world.postern(['lists', 'status']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/deny\.yaml:1:\d+ error missing_key/);
  });
});
