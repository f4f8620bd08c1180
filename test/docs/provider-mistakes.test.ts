import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SignalProvider, unknown } from '../../src/provider-kit/index.ts';
import { contractChecks, fakeDns } from '../../src/provider-kit/testing/index.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { readPage, tableOf } from './markdown.ts';

const PACKAGE = 'postern-provider-my-signal';
const declared = (more: string) => `export default {
  id: 'my_signal', apiVersion: 1, description: 'Mine.', stage: 'local',
  facts: [{ id: 'my_signal.seen', type: 'boolean', description: 'Yes.', example: true }],
  check: () => ({ facts: { 'my_signal.seen': true } }), ${more}
};`;
const fact = (more: string) =>
  declared(`facts: [{ id: 'my_signal.seen', type: 'boolean', description: 'Yes.', example: true, ${more} }]`);

/** The message of a start with a folder with this module. */
async function ofFolder(source: string, name = 'my-signal'): Promise<readonly string[]> {
  const folder = join(temporaryDirectory(), name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.js'), source);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return faultsOf({ paths: [folder] });
}

/** The message of a start with a package with this manifest and these files; null: a file is missing. */
async function ofPackage(manifest: object | null, files: Readonly<Record<string, string>> = {}) {
  const directory = temporaryDirectory();
  const all = {
    ...files,
    ...(manifest && { 'package.json': JSON.stringify({ type: 'module', ...manifest }) }),
  };
  for (const [name, text] of Object.entries(all)) {
    const file = join(directory, 'node_modules', PACKAGE, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return faultsOf({ packages: [PACKAGE], packagesFrom: directory });
}

async function faultsOf(
  sources: Partial<Parameters<typeof discoverProviders>[0]>,
): Promise<readonly string[]> {
  const failed = await discoverProviders({ enabled: [], paths: [], ...sources }).catch(
    (error: unknown) => error,
  );
  return (failed as { faults: readonly string[] }).faults;
}

/** The failed expectations of a provider for an address whose domain has an MX record. */
async function ofContract(provider: SignalProvider): Promise<readonly string[]> {
  const given = { ports: { dns: fakeDns({ 'example.com': { mx: ['mx.example.com'] } }) } };
  const cases = [{ email: 'jane@example.com', expect: { 'my_signal.seen': true } }];
  const told: string[] = [];
  for (const { run } of contractChecks(provider, { given, cases }))
    await run().catch((error: Error) => told.push(error.message));
  return told;
}

const asking = (check: Extract<SignalProvider, { stage: 'network' }>['check']) =>
  ofContract(aNetworkProvider('my_signal', { uses: ['dns'], check }));

const MISTAKES: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'the folder has another name': () => ofFolder(declared(''), 'signals'),
  'nothing is exported by default': () => ofFolder('export const provider = {};'),
  "a fact has the name of another provider's": () => ofFolder(fact("id: 'other.seen'")),
  'a fact of words lists none': () => ofFolder(fact("type: 'string', example: 'a'")),
  'a look-up promises an answer': () =>
    ofFolder(fact('never_unknown: true').replace("stage: 'local'", "stage: 'network'")),
  'a package is not installed where the configuration lies': () => ofPackage(null),
  'a package was made for another kit': () =>
    ofPackage(
      { exports: './index.js', peerDependencies: { '@postern/provider-kit': '^9.0.0' } },
      { 'index.js': declared('') },
    ),
  'a package was packed before it was built': () => ofPackage({ exports: './dist/index.js' }),
  // vitest would compile an entry that is TypeScript itself.
  'a package is TypeScript': () =>
    ofPackage(
      { exports: './index.js' },
      { 'index.js': "export { default } from './provider.ts';", 'provider.ts': declared('') },
    ),
  'a failure is taken for an answer': () =>
    asking(async ({ domain }, { dns, signal }) => {
      await dns?.mx(domain, signal);
      return { facts: { 'my_signal.seen': true } };
    }),
  'the signal is not handed on': () =>
    asking(async ({ domain }, { dns }) => {
      const answer = await dns?.mx(domain, new AbortController().signal);
      return answer?.outcome === 'found' ? { facts: { 'my_signal.seen': true } } : unknown('error');
    }),
  'evidence quotes the address': () =>
    ofContract(
      aLocalProvider('my_signal', {
        facts: [aFact('my_signal.seen')],
        check: ({ localPart }) => ({ facts: { 'my_signal.seen': true }, evidence: { name: localPart } }),
      }),
    ),
};

describe('docs/provider-packages.md', () => {
  const rows = tableOf(readPage('docs/provider-packages.md'), 'mistake', 'says');

  it('lists the mistakes of this test', () => {
    expect(rows.map(([mistake]) => mistake)).toEqual(Object.keys(MISTAKES));
    expect(rows.length).toBeGreaterThanOrEqual(10);
  });

  it.each(rows.map(([mistake = '', says = '']) => [mistake, says.slice(1, -1)] as const))(
    'quotes the message where %s',
    async (mistake, says) => {
      const told = await MISTAKES[mistake]?.();
      const pattern = says
        .split('…')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.+');
      expect(told).toContainEqual(expect.stringMatching(new RegExp(`${pattern}(\n|$)`)));
    },
  );
});
