import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Who probably wrote a rules directory: whom the system has as the owner of the file that was changed last, with that file's
 * name, since it is no more than that. Null where no file can be seen.
 */
export async function ownerOf(dir: string, paths: readonly string[]): Promise<string | null> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(join(dir, path)).catch(() => null);
      return stats ? [{ path, uid: stats.uid, changedMs: stats.mtimeMs }] : [];
    }),
  );
  const newest = found
    .flat()
    .reduce<(typeof found)[number][number] | null>(
      (latest, file) => (latest && latest.changedMs >= file.changedMs ? latest : file),
      null,
    );
  return newest && `${await nameOf(newest.uid)} (owns ${newest.path})`;
}

/** passwd(5); where the user is kept elsewhere, the number is all that is known. */
async function nameOf(uid: number): Promise<string> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = users.split('\n').map((line) => line.split(':'));
  return fields.find(([, , id]) => id === String(uid))?.[0] ?? `uid ${uid}`;
}
