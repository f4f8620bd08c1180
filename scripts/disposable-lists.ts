// Compiles the lists of providers/disposable/data/sources.yaml into lists.txt beside it. Installs the packages, in the versions
// that stand there, into a temporary folder, runs none of their scripts, and needs the registry for it.
// `node scripts/disposable-lists.ts` writes the file; `--fresh` forgets what the file knows of earlier versions.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confirmedServices } from '../providers/disposable/confirmed-services.ts';
import { isEstablished } from '../providers/disposable/established.ts';
import { registeredPart } from '../providers/disposable/hosts.ts';
import { loadEstablished, loadRegistries } from '../providers/disposable/load.ts';
import { type ReadEdition, readEdition } from '../providers/disposable/read-edition.ts';
import { readSnapshot } from '../providers/disposable/snapshot.ts';
import { loadSources, type SourceEntry } from '../providers/disposable/sources.ts';
import { type ListEdition, nextSnapshot } from '../providers/disposable/write-snapshot.ts';

type Read = ReadEdition & { readonly id: string };

const FILE = new URL('../providers/disposable/data/lists.txt', import.meta.url);

const sources = loadSources();
const editions = withPackages(sources, (folderOf) => {
  const read = sources.flatMap((source) =>
    source.editions.map(
      (edition): Read => ({
        id: source.id,
        ...readEdition(
          source,
          edition,
          readFileSync(join(folderOf(source, edition.version), source.file), 'utf8'),
        ),
      }),
    ),
  );
  return sources.flatMap((source) => fromConfirmedServices(source, ownOpinion(source, read), read));
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

function ownOpinion({ id, without, within }: SourceEntry, read: readonly Read[]): readonly Read[] {
  const namedBy = (ids: readonly string[]) =>
    new Set(read.filter((edition) => ids.includes(edition.id)).flatMap(({ domains }) => [...domains]));
  const others = namedBy(without ?? []);
  const witnesses = within && namedBy(within);
  return read
    .filter((edition) => edition.id === id)
    .map((edition) => ({
      ...edition,
      domains: [...edition.domains].filter(
        (domain) => !others.has(domain) && witnesses?.has(domain) !== false,
      ),
    }));
}

/** Where a source has `confirmed_by`: merges its editions, since a domain seen in an older one still counts, and keeps confirmed services only. */
function fromConfirmedServices(
  { confirmed_by: lists }: SourceEntry,
  own: readonly Read[],
  read: readonly Read[],
): readonly ListEdition[] {
  const newest = own.at(-1);
  if (lists === undefined || newest === undefined) return own;
  const editionOf = new Map(
    own.flatMap((edition) => [...edition.domains].map((domain) => [domain, edition])),
  );
  const opinions = sources
    .filter(({ id }) => lists.includes(id))
    .flatMap((source) => ownOpinion(source, read));
  const reviewed = new Set(opinions.flatMap(({ domains }) => [...domains]));
  const [registries, established] = [loadRegistries(), loadEstablished()];
  const services = confirmedServices(
    [...editionOf].map(([domain, edition]) => [domain, edition.serviceOf(domain)]),
    (domain) => reviewed.has(domain),
    (domain) => isEstablished(registeredPart(domain, registries) ?? domain, established),
  );
  const domains = [...editionOf.keys()].filter((domain) =>
    services.has(editionOf.get(domain)?.serviceOf(domain) ?? ''),
  );
  return [
    {
      source: newest.source,
      domains,
      seen: (domain) => ({
        firstSeen: editionOf.get(domain)?.seen?.(domain).firstSeen ?? newest.source.date,
        lastSeen: newest.source.date,
      }),
    },
  ];
}
