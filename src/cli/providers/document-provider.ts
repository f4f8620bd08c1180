import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortPath } from '../../lib/paths.ts';
import { orIfAbsent } from '../../lib/thrown.ts';
import { withDeclared } from '../../provider-kit/testing/index.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { orCannotUse, type Shell } from '../shell.ts';
import { openProvider } from './open-provider.ts';

/** Writes title and tables of a provider's README from its declaration; all other text stays. With `check` it writes nothing. */
export async function documentProvider(
  shell: Shell,
  directory: string,
  { check = false }: { readonly check?: boolean },
): Promise<void> {
  const { folder, provider } = await openProvider(shell, directory);
  const file = join(folder, 'README.md');
  const name = shortPath(file, shell.cwd);
  const before = await orCannotUse(name, 'read', orIfAbsent(readFile(file, 'utf8'), ''));
  const after = withDeclared(before, provider);
  const isCurrent = after === before;
  if (check && !isCurrent) shell.exitCode = 1;
  if (!check && !isCurrent) await orCannotUse(name, 'written', replaceFile(file, after, 0o644));
  shell.answer({ file: name, up_to_date: isCurrent, written: !check && !isCurrent }, () => {
    const stale = check ? 'is not up to date: run "postern providers docs"' : 'written';
    shell.print(`${name} ${isCurrent ? 'is up to date' : stale}`);
  });
}
