import { styleText } from 'node:util';
import { printable } from './render/printable.ts';

/** Where text goes; `process.stdout` is one. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** What `serve` needs of the process that it is. */
export interface HostProcess {
  on(event: string, listener: (reason: unknown) => void): unknown;
  off(event: string, listener: (reason: unknown) => void): unknown;
  exit(code: number): void;
}

/** All that a command takes from around it. */
export interface Surroundings {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where `default.yaml` and `local.yaml` lie; the package's own `config/` when absent. */
  readonly configDir?: string;
  readonly process?: HostProcess;
}

export type Style = Parameters<typeof styleText>[0];

/** A command's way to the outside: answers on standard output, remarks on standard error, an exit code. */
export class Shell {
  readonly env: Surroundings['env'];
  readonly cwd: string;
  readonly configDir: string | undefined;
  readonly process: HostProcess;
  /** 0, or 1 when something was found; what cannot run throws and becomes 2. */
  exitCode = 0;
  readonly hasColours: boolean;
  readonly #stdout: Sink;
  readonly #stderr: Sink;

  constructor({ stdout, stderr, env, cwd, configDir, process: host = process }: Surroundings) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.env = env;
    this.cwd = cwd;
    this.configDir = configDir;
    this.process = host;
    // no-color.org: any value but the empty one turns colours off.
    this.hasColours = stdout.isTTY === true && !env.NO_COLOR;
  }

  /** A line of the answer. */
  print(line = ''): void {
    this.#stdout.write(`${line}\n`);
  }

  /** One JSON value on one line. */
  json(value: unknown): void {
    this.print(JSON.stringify(value));
  }

  /** A remark that is no part of the answer. */
  note(line: string): void {
    this.#stderr.write(`${line.split('\n').map(printable).join('\n')}\n`);
  }

  /** Text as it is, for the parser's own help and complaints. */
  writeRaw(stream: 'stdout' | 'stderr', text: string): void {
    (stream === 'stdout' ? this.#stdout : this.#stderr).write(text);
  }

  paint(style: Style | undefined, text: string): string {
    return style !== undefined && this.hasColours ? styleText(style, text, { validateStream: false }) : text;
  }
}
