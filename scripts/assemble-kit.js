// Puts `@postern/provider-kit` together in provider-kit/: the built files that its entries import, the tables that they read, the licence.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const TABLES = ['mailbox-providers.schema.json', 'mailbox-providers.yaml'];

/** Takes the build in `root`: everything that an entry imports, and nothing else of the service. */
export function assembleKit(root) {
  const kit = join(root, 'provider-kit');
  const { exports } = JSON.parse(readFileSync(join(kit, 'package.json'), 'utf8'));
  for (const folder of ['dist', 'tables']) rmSync(join(kit, folder), { recursive: true, force: true });
  const compiled = join(root, 'dist/src');
  const entries = Object.values(exports)
    .flatMap((entry) => (typeof entry === 'string' ? [] : Object.values(entry)))
    .map((path) => join(compiled, relative('dist', path)));
  for (const file of withImports(entries)) {
    const target = join(kit, 'dist', relative(compiled, file));
    mkdirSync(dirname(target), { recursive: true });
    // The maps lead to sources that are not in the package; some tools complain where one is missing.
    const text = readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    // The compiler leaves `.ts` in the paths of type imports.
    writeFileSync(target, text.replace(/((?:from|import) ?\(?["']\.[^"']+)\.ts(?=["'])/g, '$1.js'));
  }
  mkdirSync(join(kit, 'tables'));
  for (const table of TABLES) cpSync(join(root, 'tables', table), join(kit, 'tables', table));
  cpSync(join(root, 'LICENSE'), join(kit, 'LICENSE'));
}

/** The files and everything that they import by a relative path. A .d.ts file imports by the .js or .ts path; its .d.ts is taken. */
function withImports(files, found = new Set()) {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    const names = readFileSync(file, 'utf8').matchAll(/\b(?:from|import) ?\(?["'](\.[^"']+)["']/g);
    const imported = [...names].map(([, name]) => join(dirname(file), name));
    withImports(
      file.endsWith('.d.ts') ? imported.map((path) => path.replace(/\.[jt]s$/, '.d.ts')) : imported,
      found,
    );
  }
  return found;
}
