// Compiles the lists of providers/disposable/data/sources.yaml into lists.txt beside it. Installs the packages, in the versions
// that stand there, into a temporary folder, runs none of their scripts, and needs the registry for it.
// `node scripts/disposable-lists.ts` writes the file; `--fresh` forgets what the file knows of earlier versions.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEdition } from '../providers/disposable/read-edition.ts';
import { readSnapshot } from '../providers/disposable/snapshot.ts';
import { loadSources, type SourceEntry } from '../providers/disposable/sources.ts';
import { type ListEdition, nextSnapshot } from '../providers/disposable/write-snapshot.ts';

const FILE = new URL('../providers/disposable/data/lists.txt', import.meta.url);

const sources = loadSources();
const editions = withPackages(sources, (folderOf) => {
  const read = sources.flatMap((source) =>
    source.editions.map((edition): ListEdition & { readonly id: string } => ({
      id: source.id,
      ...readEdition(
        source,
        edition,
        readFileSync(join(folderOf(source, edition.version), source.file), 'utf8'),
      ),
    })),
  );
  return sources.flatMap((source) => withoutOthers(source, read));
});
const isFresh = process.argv.includes('--fresh');
const text = nextSnapshot(isFresh ? null : readSnapshot(readFileSync(FILE)), editions);
writeFileSync(FILE, text);

const snapshot = readSnapshot(text);
console.log(
  `${snapshot.size} domains, ${snapshot.ballots.length} ballots, ${Math.round(text.length / 1024)} kB`,
);
for (const { id, version, date } of snapshot.sources) {
  const named = editions.filter(({ source }) => source.id === id).at(-1);
  console.log(`${date}  ${String([...(named?.domains ?? [])].length).padStart(7)}  ${version}`);
}

/** Installs each version under a name of its own, side by side. */
function withPackages<Result>(
  entries: readonly SourceEntry[],
  use: (folderOf: (source: SourceEntry, version: string) => string) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'disposable-lists-'));
  const alias = (source: SourceEntry, version: string) => `${source.id.replaceAll('_', '-')}-${version}`;
  const dependencies = Object.fromEntries(
    entries.flatMap((source) =>
      source.editions.map(({ version }) => [alias(source, version), `npm:${source.package}@${version}`]),
    ),
  );
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
      cwd: folder,
      stdio: 'inherit',
    });
    return use((source, version) => join(folder, 'node_modules', alias(source, version)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withoutOthers(
  { id, without = [] }: SourceEntry,
  read: readonly (ListEdition & { readonly id: string })[],
): readonly ListEdition[] {
  const others = new Set(
    read.filter((edition) => without.includes(edition.id)).flatMap(({ domains }) => [...domains]),
  );
  return read
    .filter((edition) => edition.id === id)
    .map((edition) => ({
      ...edition,
      domains: [...edition.domains].filter((domain) => !others.has(domain)),
    }));
}
