import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/lib/paths.ts';

/** Older commits cannot share a database. */
const NEEDED = 'src/storage/postgres/postgres-storage.ts';
/** Folders that the build does without; the older Postern runs without a dashboard. */
const LEFT_OUT = ['test', 'bench', 'dashboard'];
const KEPT = join(tmpdir(), 'postern-before');

/** Builds Postern from the commit before this one, or says why it cannot. The build is kept for the next run. */
export function buildBefore(): { readonly program: string } | { readonly reason: string } {
  const commit = git('rev-parse', 'HEAD~1')?.trim();
  if (!commit) return { reason: 'no commit before this one is here' };
  if (git('cat-file', '-e', `${commit}:${NEEDED}`) === null)
    return { reason: 'the commit before does not share a database' };
  const program = join(KEPT, commit);
  // `node_modules` links to a checkout; a kept build whose checkout is gone is not reused.
  if (existsSync(join(program, 'node_modules'))) return { program };
  rmSync(KEPT, { recursive: true, force: true });
  const unfinished = `${program}.unfinished`;
  mkdirSync(unfinished, { recursive: true });
  const archive = join(unfinished, 'source.tar');
  const without = LEFT_OUT.map((folder) => `:!${folder}`);
  execFileSync('git', ['archive', '-o', archive, commit, '--', '.', ...without], { cwd: packageRoot });
  execFileSync('tar', ['-x', '-f', archive, '-C', unfinished]);
  rmSync(archive);
  symlinkSync(join(packageRoot, 'node_modules'), join(unfinished, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.js'], { cwd: unfinished, stdio: 'pipe' });
  renameSync(unfinished, program);
  return { program };
}

/** Null where git, the repository or the object is missing. */
function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: packageRoot, encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return null;
  }
}
