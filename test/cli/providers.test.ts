import { describe, expect, it } from 'vitest';
import { aWorld } from './world.ts';

const PLUGIN = `export default {
  id: 'my_signal', apiVersion: 1, description: 'Mine.', stage: 'local',
  facts: [{ id: 'my_signal.length', type: 'integer', description: 'How long.', example: 3, never_unknown: true }],
  check: (address) => ({ facts: { 'my_signal.length': address.raw.length } }),
};`;

describe('postern providers list', () => {
  it('shows the provider of each signal of the response, and the version of its data', async () => {
    const { code, stdout, stderr } = await aWorld().postern(['providers', 'list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^provider +stage +enabled +fills +other facts +waits for +data$/m);
    expect(stdout).toMatch(/^mx +network +yes +domain\.has_mx +mx\.outcome +dns: 500 ms$/m);
    expect(stdout).toMatch(/^disposable +local +yes +domain\.is_known_disposable .*disposable-domains@\d/m);
  });

  it('shows that a provider is switched off', async () => {
    const world = aWorld({ 'a.yaml': 'providers: { enabled: [syntax, lists] }\n' });
    const { stdout } = await world.postern(['providers', 'list', '--config', 'a.yaml']);
    expect(stdout).toMatch(/^syntax +local +yes/m);
    expect(stdout).toMatch(/^mx +network +no/m);
  });

  it('shows plugins, and prints JSON', async () => {
    const world = aWorld({
      'plugins/my-signal/index.js': PLUGIN,
      'plugins/my-signal/package.json': '{ "type": "module" }',
      'a.yaml': 'providers: { paths: [plugins/my-signal] }\n',
    });
    const { json } = await world.postern(['providers', 'list', '--json', '--config', 'a.yaml']);
    expect(json().providers).toContainEqual({
      id: 'my_signal',
      description: 'Mine.',
      stage: 'local',
      enabled: true,
      facts: ['my_signal.length'],
      slots: [],
      needs: [],
      uses: [],
      timeout_ms: null,
      counts: false,
      source: null,
    });
  });

  it('shows what a provider waits for: the network with its timeout, facts of other providers, counters', async () => {
    const world = aWorld({ 'a.yaml': 'check: { deadline_ms: 300 }\n' });
    const { stdout } = await world.postern(['providers', 'list', '--config', 'a.yaml']);
    expect(stdout).toMatch(/^catch_all +network .* dns, smtp: 300 ms$/m);
    expect(stdout).toMatch(/^disposable_mx +network .* dns: 300 ms\n +mx\.outcome$/m);
    expect(stdout).toMatch(/^velocity +local .* mx\.provider\n +velocity\.canonical_7d +counted checks$/m);
    expect(stdout).toMatch(/^syntax +local +yes +syntax\.valid_format +syntax\.fault_count$/m);
    const { json } = await world.postern(['providers', 'list', '--json', '--config', 'a.yaml']);
    const of = (id: string) => json().providers.find((one: { id: string }) => one.id === id);
    expect(of('disposable_mx')).toMatchObject({
      needs: ['mx.outcome'],
      uses: ['dns'],
      timeout_ms: 300,
      counts: false,
    });
    expect(of('velocity')).toMatchObject({
      needs: ['mx.provider'],
      uses: [],
      timeout_ms: null,
      counts: true,
    });
  });

  it("shows a provider's own timeout where it is shorter than that of a check", async () => {
    const world = aWorld({
      'plugins/slow/index.js': PLUGIN.replaceAll('my_signal', 'slow')
        .replace("'local'", "'network', timeoutMs: 200")
        .replace(', never_unknown: true', '')
        .replace('check: (address) => (', 'check: async (address) => ('),
      'plugins/slow/package.json': '{ "type": "module" }',
      'a.yaml': 'providers: { paths: [plugins/slow] }\n',
    });
    const list = ['providers', 'list', '--json', '--config'];
    const timeOf = async (config: string) =>
      (await world.postern([...list, config]))
        .json()
        .providers.find((one: { id: string }) => one.id === 'slow').timeout_ms;
    expect(await timeOf('a.yaml')).toBe(200);
    world.write('b.yaml', 'check: { deadline_ms: 100 }\nproviders: { paths: [plugins/slow] }\n');
    expect(await timeOf('b.yaml')).toBe(100);
    const { stdout } = await world.postern(['providers', 'list', '--config', 'a.yaml']);
    expect(stdout).toMatch(/^slow +network .* its answer: 200 ms$/m);
  });

  it('works beside invalid rules, and reports what it leaves out', async () => {
    const world = aWorld({ 'rules/broken.yaml': 'group: broken\n' });
    const { code, stdout, stderr } = await world.postern(['providers', 'list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mx +network +yes/m);
    expect(stderr).toMatch(/^warning: data sources are not shown.*rules lint/);
  });

  it('cannot run when a provider fails to load, and names it', async () => {
    const world = aWorld({
      'plugins/my-signal/index.js': 'throw new Error("no licence");',
      'a.yaml': 'providers: { paths: [plugins/my-signal] }\n',
    });
    const { code, stderr } = await world.postern(['providers', 'list', '--config', 'a.yaml']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/my-signal.*no licence/);
  });
});
