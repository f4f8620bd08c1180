import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { START_PATIENCE_MS, WAIT_TOLD_MS } from '../../src/lib/time.ts';
import { builtInIds, discoverProviders } from '../../src/signals/discover-providers.ts';
import { eventually } from '../support/eventually.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'postern-providers-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const declaration = (id: string, fact = `${id}.seen`) => `
import { defineProvider } from 'postern/provider-kit';
export default defineProvider({
  id: '${id}', apiVersion: 1, description: 'Says yes.', stage: 'local',
  facts: [{ id: '${fact}', type: 'boolean', description: 'Yes.', example: true }],
  check: () => ({ facts: { '${fact}': true } }),
});`;

function folder(name: string, source: string, file = 'index.js'): string {
  const path = join(dir, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, file), source);
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  return path;
}

const plugins = async (...paths: string[]) => (await discoverProviders({ enabled: [], paths })).enabled;

describe('discoverProviders', () => {
  it('finds the built-in providers', async () => {
    const ids = [
      'address',
      'canonical',
      'catch_all',
      'disposable',
      'disposable_mx',
      'entropy',
      'free_provider',
      'gibberish',
      'lists',
      'local_part',
      'mx',
      'owner_cluster',
      'relay',
      'role_account',
      'syntax',
      'tld',
      'typo',
      'velocity',
    ];
    expect(builtInIds()).toEqual(ids);
    const { enabled, disabled } = await discoverProviders({ enabled: null, paths: [] });
    expect(enabled.map(({ id }) => id).sort()).toEqual(ids);
    expect(disabled).toEqual([]);
  });

  it('lists disabled ones separately, so that rules can still name their facts', async () => {
    const { enabled, disabled } = await discoverProviders({ enabled: ['syntax', 'mx'], paths: [] });
    expect(enabled.map(({ id }) => id).sort()).toEqual(['mx', 'syntax']);
    expect(disabled.map(({ id }) => id)).toContain('disposable');
  });

  it('loads a folder from any place, in JavaScript or in TypeScript', async () => {
    const providers = await plugins(
      folder('from-js', declaration('from_js')),
      folder('from-ts', `const one: number = 1;${declaration('from_ts')}`, 'index.ts'),
    );
    expect(providers.map(({ id }) => id)).toEqual(['from_js', 'from_ts']);
  });

  it('loads CommonJS as compiled by tsc', async () => {
    const path = folder(
      'from-cjs',
      `Object.defineProperty(exports, '__esModule', { value: true });
      const kit = require('@postern/provider-kit');
      exports.default = kit.defineProvider({ id: 'from_cjs', apiVersion: 1, description: 'Says yes.', stage: 'local',
        facts: [{ id: 'from_cjs.seen', type: 'boolean', description: 'Yes.', example: true }],
        check: () => ({ facts: { 'from_cjs.seen': true } }) });`,
    );
    rmSync(join(path, 'package.json'));
    expect((await plugins(path)).map(({ id }) => id)).toEqual(['from_cjs']);
  });

  it.each([
    ['an empty folder', () => folder('empty', '', 'readme.txt'), 'has no index.js or index.ts'],
    [
      'a misspelt folder',
      () => `${folder('keyboard-walk', declaration('keyboard_walk')).slice(0, -4)}wlk`,
      'keyboard-wlk: is not there: name the folder of a provider (did you mean keyboard-walk?)',
    ],
    [
      'a folder of providers',
      () => dirname(folder('inner', declaration('inner'))),
      'has no index.js or index.ts: name a folder in it, such as inner',
    ],
    [
      'a file',
      () => join(folder('by-file', declaration('by_file')), 'index.js'),
      'by-file/index.js: is a file: name the folder of a provider',
    ],
    ['a syntax error', () => folder('broken', 'export default {{'), 'cannot be loaded'],
    [
      'a throw',
      () => folder('bang', '\nthrow new Error("bang");'),
      'bang/index.js:2: cannot be loaded: bang',
    ],
    ['an import that is not there', () => folder('lost', "import 'no-such-package';"), 'no-such-package'],
    [
      'a declaration with a fault',
      () => folder('bad', 'export default { id: "bad" };'),
      'apiVersion must be 1',
    ],
    [
      'a folder that is not named for the id',
      () => folder('other', declaration('mine')),
      'must be in a folder named "mine"',
    ],
  ])('stops the start at %s, with the reason', async (_what, make, reason) => {
    await expect(plugins(make())).rejects.toThrow(reason);
  });

  it('stops the start at an import that never finishes', async () => {
    const started = vi.fn();
    vi.stubGlobal('providerStarted', started);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const source = 'providerStarted(); await new Promise(() => {});';
      const refused = expect(plugins(folder('endless', source))).rejects.toThrow(
        /endless.*cannot be loaded: is not ready after 30 seconds/,
      );
      await eventually(() => expect(started).toHaveBeenCalled());
      await vi.advanceTimersByTimeAsync(START_PATIENCE_MS);
      await refused;
    } finally {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  });

  it('names each that has not finished loading after five seconds', async () => {
    const started = Promise.withResolvers<void>();
    let count = 0;
    vi.stubGlobal('providerStarted', () => ++count === 2 && started.resolve());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const source = 'providerStarted(); await new Promise(() => {});';
      const paths = [folder('hangs', source), folder('hangs-too', source)];
      const told: string[] = [];
      const refused = expect(
        discoverProviders({ enabled: [], paths }, (what) => told.push(what)),
      ).rejects.toMatchObject({
        faults: [expect.stringContaining('hangs-too'), expect.stringContaining('hangs/')],
      });
      await started.promise;
      await vi.advanceTimersByTimeAsync(WAIT_TOLD_MS - 1);
      expect(told).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(told).toEqual([
        `still waiting for provider hangs (${paths[0]}/index.js): its module has not finished loading`,
        `still waiting for provider hangs_too (${paths[1]}/index.js): its module has not finished loading`,
      ]);
      await vi.advanceTimersByTimeAsync(START_PATIENCE_MS - WAIT_TOLD_MS);
      await refused;
      expect(told).toHaveLength(2);
    } finally {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  });

  it('reads a declaration once, when it is loaded', async () => {
    const shifting = declaration('shifting')
      .replace('export default defineProvider({', 'let asked = 0; const declared = {')
      .replace(/\}\);$/, '};')
      .replace(
        "description: 'Says yes.'",
        'get description() { if (asked++ > 2) throw new Error("late"); return "Says yes."; }',
      );
    const [provider] = await plugins(
      folder('shifting', `${shifting} export default declared; setImmediate(() => declared.facts.pop());`),
    );
    await new Promise(setImmediate);
    expect(provider).toMatchObject({ description: 'Says yes.', facts: [{ id: 'shifting.seen' }] });
  });

  it('stops the start at a declaration that throws when it is read', async () => {
    const source = declaration('odd').replace(
      "description: 'Says yes.'",
      'get description() { throw new Error("boom"); }',
    );
    await expect(plugins(folder('odd', source))).rejects.toThrow(/odd\/index\.js.*: cannot be loaded: boom/);
  });

  it('names members that cannot be copied, beside all other faults', async () => {
    const source = declaration('odd')
      .replace('facts:', 'options: { properties: { a: { transform: () => 1 } } }, facts:')
      .replace(
        "description: 'Says yes.'",
        "description: '', never: [[{ fact: 'a.b', operator: 'in', value: () => 1 }]]",
      );
    const copied = 'must be plain data, without functions: it is copied';
    await expect(plugins(folder('odd', source), folder('broken', 'export default {{'))).rejects.toMatchObject(
      {
        faults: [
          expect.stringContaining('broken'),
          expect.stringMatching(/odd\/index\.js: description is missing/),
          expect.stringContaining(`odd/index.js: never ${copied}`),
          expect.stringContaining(`odd/index.js: options ${copied}`),
        ],
      },
    );
  });

  it('stops at a second claimant of a fact', async () => {
    const one = folder('one', declaration('one'));
    const slot =
      "{ id: 'domain.has_mx', slot: 'domain.has_mx', type: 'boolean', description: 'Yes.', example: true }";
    const two = folder('two', declaration('two').replace(/facts: \[.*\]/, `facts: [${slot}]`));
    await expect(discoverProviders({ enabled: ['mx'], paths: [one, two] })).rejects.toThrow(
      'fact "domain.has_mx" is already answered by "mx"',
    );
  });

  it('stops at two with the same id, with one fault that names a remedy', async () => {
    const one = folder('own', declaration('own'));
    const two = folder('copy/own', declaration('own'));
    await expect(discoverProviders({ enabled: ['mx'], paths: [one, two] })).rejects.toMatchObject({
      faults: ['provider "own": providers.paths and providers.packages name two of this id: leave one out'],
    });
  });

  it('stops at the id of a built-in provider, whose options would otherwise be applied to the plugin', async () => {
    const other = folder('mx', declaration('mx'));
    await expect(discoverProviders({ enabled: [], paths: [other] })).rejects.toMatchObject({
      faults: ['provider "mx": a built-in provider has this id; claim its slot under another'],
    });
  });

  it('lets a plugin fill the slot of a built-in provider that is switched off', async () => {
    const slot =
      "{ id: 'domain.has_mx', slot: 'domain.has_mx', type: 'boolean', description: 'Yes.', example: true }";
    const own = folder('own-mx', declaration('own_mx').replace(/facts: \[.*\]/, `facts: [${slot}]`));
    expect((await plugins(own)).map(({ id }) => id)).toEqual(['own_mx']);
  });

  it.each(['options', 'thresholds'])(
    'names a plugin whose %s are not a valid JSON Schema',
    async (member) => {
      const schema = `${member}: { properties: { a: { type: 'nonsense' }, b: { minLength: -1 } } }, facts:`;
      const own = folder('own', declaration('own').replace('facts:', schema));
      await expect(plugins(own)).rejects.toMatchObject({
        faults: [
          expect.stringMatching(
            `^provider "own": ${member} is no JSON Schema: schema is invalid: .*minLength`,
          ),
        ],
      });
    },
  );

  it('names an unknown format, which would validate nothing', async () => {
    const schema = `options: { properties: { url: { type: 'string', format: 'uuri' } } }, facts:`;
    const own = folder('own', declaration('own').replace('facts:', schema));
    await expect(plugins(own)).rejects.toMatchObject({
      faults: [expect.stringContaining('provider "own": options is no JSON Schema: unknown format "uuri"')],
    });
  });

  it('refuses an asynchronous schema, which would accept any value', async () => {
    const schema = `options: { $async: true, properties: { url: { type: 'string' } } }, facts:`;
    const own = folder('own', declaration('own').replace('facts:', schema));
    await expect(plugins(own)).rejects.toMatchObject({
      faults: [expect.stringContaining('options is no JSON Schema: $async is no keyword of JSON Schema')],
    });
  });

  it('accepts null for a missing schema', async () => {
    const own = folder(
      'own',
      declaration('own').replace('facts:', 'options: null, thresholds: null, facts:'),
    );
    expect((await plugins(own)).map(({ id }) => id)).toEqual(['own']);
  });

  it('lists every fault at once and suggests the intended name', async () => {
    const broken = folder('broken', 'export default {{');
    await expect(discoverProviders({ enabled: ['entropi'], paths: [broken] })).rejects.toMatchObject({
      faults: [
        expect.stringContaining('broken'),
        'providers.enabled: no provider "entropi" (did you mean entropy?)',
      ],
    });
  });
});
