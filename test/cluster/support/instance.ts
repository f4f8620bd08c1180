import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { packageRoot } from '../../../src/lib/paths.ts';
import { firstRunOf, type PosternProcess, spawnPostern } from '../../support/postern-process.ts';
import { type Answer, type SendOptions, transmit } from '../../support/transmit.ts';

const PORT_TAKEN_MS = 2_000;

/** One `postern serve` of a cluster: it keeps its port and its data directory when it is started again. */
export interface Instance {
  readonly name: string;
  readonly port: number;
  readonly dataDir: string;
  /** Resolves when it is ready. With `program`, another Postern than that under test. */
  start(program?: string): Promise<void>;
  /** When it was sent SIGKILL, and when the process was gone, in milliseconds since the epoch. */
  kill(): Promise<{ readonly at: number; readonly goneAt: number }>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** All that every start of it has written, to standard output and the log. */
  said(): string;
  /** What a first start has put aside; empty where it has made nothing. */
  firstRun(): string;
  /** A request to it past the balancer. */
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
        // Seen once, of a port that was free a moment before: who has it is said if it is not let go.
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
