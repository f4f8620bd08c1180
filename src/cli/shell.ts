import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { LoadOptions } from '../app/config/load-config.ts';
import { AppError, ExplainedError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';

/** Where text goes; `process.stdout` is one. */
export type Sink = Writable & { readonly isTTY?: boolean };

/** The part of `process` that commands use. */
export interface HostProcess {
  on(event: string, listener: (reason: unknown) => void): unknown;
  off(event: string, listener: (reason: unknown) => void): unknown;
  exit(code: number): void;
}

/** All that a command takes from around it. */
export interface Surroundings {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Called only by a command that reads standard input: once opened, it may keep the process waiting for its end. */
  readonly stdin?: () => AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where `default.yaml` and `local.yaml` lie; the package's own `config/` when absent. */
  readonly configDir?: string;
  readonly process?: HostProcess;
}

/** What every command takes. */
export interface CommonOptions {
  readonly config?: readonly string[];
  readonly dataDir?: string;
  readonly json?: boolean;
  /** For commands on rules: a rules directory in place of `rules.dir`. */
  readonly dir?: string;
}

export type Style = Parameters<typeof styleText>[0];

/** A command's output: answers on standard output, remarks on standard error, and the exit code. */
export class Shell {
  readonly env: Surroundings['env'];
  readonly cwd: string;
  readonly configDir: string | undefined;
  readonly process: HostProcess;
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** The options of the running command; empty until the command line is parsed. */
  options: CommonOptions = {};
  /** 0, or 1 when something was found; what cannot run throws and becomes 2. */
  exitCode = 0;
  /** A person reads standard output, and no journal keeps it. */
  readonly isTerminal: boolean;
  readonly hasColours: boolean;
  /** Written to directly for text that must stay as it is: the parser's help, a file, a patch. */
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly #warnings = new Set<string>();

  constructor({ stdout, stderr, stdin, env, cwd, configDir, process: host = process }: Surroundings) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.stdin = stdin ?? (() => process.stdin);
    this.env = env;
    this.cwd = cwd;
    this.configDir = configDir;
    this.process = host;
    this.isTerminal = stdout.isTTY === true;
    // no-color.org: any value but the empty one turns colours off.
    this.hasColours = this.isTerminal && !env.NO_COLOR;
  }

  /** A line of the answer. */
  print(line = ''): void {
    this.stdout.write(`${line}\n`);
  }

  /** One JSON value on one line. */
  json(value: unknown): void {
    this.print(JSON.stringify(value));
  }

  /** The answer of a command: `value` under `--json`, else what `printText` prints. */
  answer(value: unknown, printText: () => void): void {
    if (this.options.json) this.json(value);
    else printText();
  }

  /** Where progress is shown to a person; null when standard error is no terminal. */
  get terminal(): Sink | null {
    return this.stderr.isTTY ? this.stderr : null;
  }

  /** A remark that is no part of the answer. */
  note(line: string): void {
    this.stderr.write(`${line.split('\n').map(printable).join('\n')}\n`);
  }

  /** A remark on a possible mistake; the same text is written once. */
  warn(text: string): void {
    if (!this.#warnings.has(text)) this.note(`warning: ${text}`);
    this.#warnings.add(text);
  }

  /** Where the configuration of this command is read. */
  configSources(port?: number): LoadOptions {
    const { dataDir, config: files = [] } = this.options;
    const { env, cwd, configDir } = this;
    return { dataDir, files, env, cwd, port, ...(configDir !== undefined && { configDir }) };
  }

  /** Runs `cleanUp` once: when it is disposed of, or on SIGINT, SIGTERM or SIGHUP, which then exit with 128 + the signal. */
  atEnd(cleanUp: () => void): DisposableStack {
    const end = new DisposableStack();
    end.defer(cleanUp);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const onSignal = () => {
        end.dispose();
        this.process.exit(128 + constants.signals[signal]);
      };
      this.process.on(signal, onSignal);
      end.defer(() => this.process.off(signal, onSignal));
    }
    return end;
  }

  paint(style: Style | undefined, text: string): string {
    return style !== undefined && this.hasColours ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** The command was understood and cannot be carried out; exit code 2. */
export class CannotRun extends ExplainedError {
  override readonly name = 'CannotRun';
}

/** What the command was asked about does not exist. The message is for the person; exit code 1. */
export class NotThere extends Error {
  override readonly name = 'NotThere';
}

/** Turns a rejection into CannotRun: for work that fails only for reasons that a person can mend, such as an unusable directory. */
export function cannotRun(error: unknown): never {
  // The message of an AppError is for callers of the API; `run.ts` prints its cause.
  if (error instanceof AppError) throw error;
  throw new CannotRun(messageOf(error));
}

/** Does work on a file; whatever it throws becomes CannotRun. `name` is what the message calls the file. */
export async function orCannotUse<Result>(
  name: string,
  use: 'read' | 'written',
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new CannotRun(`${name} cannot be ${use}: ${messageOf(error)}`);
  }
}

/**
 * Text from outside with everything in it that could steer a terminal made visible: control characters,
 * direction marks, line ends, lone surrogates.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
