import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { packageRoot } from '../../../src/lib/paths.ts';
import { firstRunOf, type PosternProcess, spawnPostern } from '../../support/postern-process.ts';
import { type Answer, type SendOptions, transmit } from '../../support/transmit.ts';

const PORT_TAKEN_MS = 2_000;

/** One `postern serve` of a cluster; it keeps its port and data directory over restarts. */
export interface Instance {
  readonly name: string;
  readonly port: number;
  readonly dataDir: string;
  /** Resolves when the instance is ready. `program` is the root folder of another Postern than the one under test. */
  start(program?: string): Promise<void>;
  /** Sends SIGKILL. Resolves to the instants of the signal and of the end, in milliseconds since the epoch. */
  kill(): Promise<{ readonly at: number; readonly goneAt: number }>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Standard output and log of all its starts. */
  said(): string;
  /** The text of `first-run.txt`; empty where there is none. */
  firstRun(): string;
  /** Sends a request to the instance, past the balancer. */
  send(options: SendOptions): Promise<Answer>;
}

export interface InstanceOptions {
  readonly name: string;
  readonly port: number;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly ca: string;
}

export function anInstance({ name, port, dataDir, env, ca }: InstanceOptions): Instance {
  const starts: PosternProcess[] = [];
  const agent = new Agent({ keepAlive: true, ca });
  const end = async (signal: NodeJS.Signals) => {
    const last = starts.at(-1);
    last?.child.kill(signal);
    return last?.exited;
  };

  return {
    name,
    port,
    dataDir,
    async start(program = packageRoot) {
      const start = () => {
        const started = spawnPostern({ dataDir, program, args: ['--port', String(port)], env });
        starts.push(started);
        return started.ready;
      };
      try {
        await start();
      } catch (error) {
        if (!String(error).includes('another process listens there')) throw error;
        // Seen once, on a port that was free a moment before. Tries once more; the error then names the process that has the port.
        const holder = spawnSync('ss', ['-tanp', `sport = :${port}`], { encoding: 'utf8' }).stdout;
        await wait(PORT_TAKEN_MS);
        await start().catch((again) => {
          throw new Error(`${again}\n${holder}`);
        });
      }
    },
    async kill() {
      const at = Date.now();
      await end('SIGKILL');
      return { at, goneAt: Date.now() };
    },
    stop: async () => (await end('SIGTERM'))?.code ?? null,
    said: () => starts.map(({ stdout, stderr }) => stdout() + stderr()).join(''),
    firstRun: () => (existsSync(join(dataDir, 'first-run.txt')) ? firstRunOf({ dataDir }) : ''),
    send: (options) => transmit({ agent, port, ...options }),
  };
}
