import type { RunningService } from '../src/app/main.ts';
import type { Shell } from '../src/cli/shell.ts';
import type { Seeded } from './seed/seed.ts';

/** Prints how to sign in. The line `ready …` comes last, as in `serve`. */
export function announceDemo(
  shell: Shell,
  { httpsPort }: RunningService,
  { secret, people }: Seeded,
  keptDir: string | null,
): void {
  const url = `https://localhost:${httpsPort}/`;
  shell.print('');
  shell.print(shell.paint('bold', `This is a demo. Nobody in it exists, and no packet leaves this machine.`));
  shell.print('');
  shell.print(`  open      ${url}`);
  shell.print('            Its certificate was made a moment ago: the browser will ask whether to trust it.');
  const [owner, ...others] = people.emails;
  shell.print(`  sign in   ${owner}  ${people.password}`);
  shell.print(`            or, with the same password, as one who may do less: ${others.join(', ')}`);
  shell.print(`  a key     ${secret}`);
  shell.print('');
  shell.print(
    keptDir === null ? 'Ctrl-C ends it and removes everything.' : `Ctrl-C ends it; ${keptDir} stays.`,
  );
  shell.print(`ready https://localhost:${httpsPort}`);
}
