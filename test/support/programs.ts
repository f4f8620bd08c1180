import { spawnSync } from 'node:child_process';

/**
 * Paths of programs that no npm package brings, or null: their tests are skipped. Prints which are missing.
 * Looks in sbin too, which is not on every user's PATH.
 */
export function findPrograms<Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name, string | null>> {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin` };
  const found = names.map((name) => {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { env, encoding: 'utf8' });
    return [name, stdout?.trim() || null] as const;
  });
  const missing = found.flatMap(([name, path]) => (path === null ? [name] : []));
  if (missing.length > 0)
    console.info(`Not installed: ${missing.join(', ')}. What is deployed with it is not tried.`);
  return Object.fromEntries(found) as Record<Name, string | null>;
}
