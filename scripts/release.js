// `npm run release`: what is handed to operators, in release/ or in the folder that is named: the package with all that it depends on,
// its bill of materials (CycloneDX), the licences of all of it, and checksums; and the package that authors of providers write with. It
// needs no registry.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(argv[2] ?? join(root, 'release'));
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const npm = (...args) =>
  execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 2],
  });

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// npm runs `prepack` first, which builds what is stale.
const [{ name, version, files }] = JSON.parse(npm('pack', '--json', '--pack-destination', out));
npm('pack', '--workspace', '@postern/provider-kit', '--pack-destination', out);
const { packages } = readJson('package-lock.json');
const bundled = new Set(
  files.map(({ path }) => path).filter((path) => /node_modules.*\/package\.json$/.test(path)),
);
/** The packages that are bundled, or that are installed along as optional dependencies. */
const parts = Object.entries(packages)
  .filter(([path, { optional, dev }]) => bundled.has(`${path}/package.json`) || (optional && !dev))
  .map(([path, { version, license }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    identifier: license,
    text: readLicence(join(root, path)),
  }));
// Packages that vite has bundled into the dashboard: mostly development dependencies, and handed out all the same.
parts.push(...readJson('dist/dashboard/.vite/license.json'));

writeFileSync(join(out, `${name}-${version}.cdx.json`), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
writeFileSync(join(out, `${name}-${version}-licenses.txt`), licences());
const sums = readdirSync(out).map((file) => {
  const sum = createHash('sha256').update(readFileSync(join(out, file)));
  return `${sum.digest('hex')}  ${file}\n`;
});
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
process.stderr.write(sums.join(''));

/** npm's bill of the whole lock file, without the packages that are not handed out. `--omit dev` would leave out what both need. */
function billOfMaterials() {
  const bill = JSON.parse(
    npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'),
  );
  // npm names the package by its folder.
  bill.metadata.component.name = name;
  const shipped = new Set(parts.map((part) => `${part.name}@${part.version}`));
  bill.components = bill.components.filter((part) => shipped.has(`${part.name}@${part.version}`));
  const refs = new Set([bill.metadata.component, ...bill.components].map((part) => part['bom-ref']));
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return bill;
}

function readLicence(folder) {
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  return file && readFileSync(join(folder, file), 'utf8').trim();
}

function licences() {
  const texts = new Map(
    parts
      .map((part) => [
        `${part.name} ${part.version} (${part.identifier})`,
        part.text || 'The package has no text of the licence that it names.',
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const own = `${readLicence(root)}\n\nThe sources and licences of its data: dist/providers/*/data/SOURCE.md in the package.`;
  return [[`${name} ${version} (${packages[''].license})`, own], ...texts]
    .map(([title, text]) => `${title}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n`);
}
