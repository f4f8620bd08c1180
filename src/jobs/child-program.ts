import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts a program of ours that talks over IPC. It holds nobody up: an idle one is no reason for this process to live on. Whoever
 * waits for a word of it says so by `channel.ref()`. The bounds of this process's heap are not the child's.
 */
export function startChildProgram(program: URL, execArgv: readonly string[] = []): ChildProcess {
  const child = fork(fileURLToPath(program), {
    execArgv: [...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('error', () => undefined);
  child.unref();
  child.channel?.unref();
  return child;
}
