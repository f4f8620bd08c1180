import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

/** A server in its own process that has printed `ready https://host:port`. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the spawn to the ready line. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Arguments of node: its flags, the script and the script's arguments. */
  readonly args: readonly string[];
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** File that standard error, the log, is appended to. */
  readonly logFile: string;
}

/** Rejects when the server ends before it is ready; its log says why. */
export async function startServer({ args, env, logFile }: ServerOptions): Promise<ServerProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  });
  const port = await readyLine(child, logFile);
  const readyMs = performance.now() - started;
  if (child.pid === undefined) throw new Error('a process that is ready has an id');
  return {
    pid: child.pid,
    port,
    readyMs,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function readyLine(child: ChildProcess, logFile: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    child.once('exit', (code) =>
      reject(new Error(`a server ended with ${code} before it was ready; see ${logFile}`)),
    );
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
      const line = /^ready https:\/\/\S+:(\d+)$/m.exec(stdout);
      if (line) resolve(Number(line[1]));
    });
  });
}
