import { messageOf } from '../../lib/thrown.ts';
import { contractChecks } from '../../provider-kit/testing/index.ts';
import { printable } from '../render/printable.ts';
import type { Shell } from '../shell.ts';
import { openProvider, readCases } from './open-provider.ts';

/** Runs what `runContract` of the kit runs, without a test runner. Exit code 1 where something does not hold. */
export async function testProvider(
  shell: Shell,
  directory: string,
  { seed }: { readonly seed?: number },
): Promise<void> {
  const { folder, provider } = await openProvider(shell, directory);
  const cases = await readCases(folder);
  if (cases === null) shell.warn(`${directory} has no cases.ts: nothing is known of what it should answer`);
  const held: { name: string; passed: boolean; message: string | null }[] = [];
  const given = { ...(cases ?? { cases: [] }), ...(seed !== undefined && { seed }) };
  for (const { name, run } of contractChecks(provider, given)) {
    const message = await run().then(
      () => null,
      (error: unknown) => messageOf(error),
    );
    held.push({ name, passed: message === null, message });
  }
  const failed = held.filter(({ passed }) => !passed).length;
  if (failed > 0) shell.exitCode = 1;
  shell.answer({ provider: provider.id, passed: held.length - failed, failed, checks: held }, () => {
    for (const { name, passed, message } of held) {
      shell.print(
        `${passed ? shell.paint('green', 'holds ') : shell.paint('red', 'failed')} ${printable(name)}`,
      );
      for (const line of message?.split('\n') ?? []) shell.print(`       ${printable(line)}`);
    }
    shell.print(
      shell.paint(
        failed === 0 ? 'green' : 'red',
        `${provider.id}: ${held.length - failed} hold, ${failed} failed`,
      ),
    );
  });
}
