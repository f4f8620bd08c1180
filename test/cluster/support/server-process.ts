import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program in the foreground; its output is kept. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly said: () => string;
  /** Sends a signal and waits until the program has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a program, and waits until `isUp`. Throws with its output when it ends before. */
export async function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  isUp: () => Promise<boolean>,
): Promise<ServerProcess> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      said += chunk;
    });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  while (!(await isUp())) {
    if (isOver()) throw new Error(`${command} ended with ${child.exitCode}:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    child,
    said: () => said,
    async end(signal) {
      if (isOver()) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
