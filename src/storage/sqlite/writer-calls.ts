import type { MessagePort } from 'node:worker_threads';
import { messageOf } from '../../lib/thrown.ts';
import type { WritingConnection, WritingOptions } from './writing-connection.ts';

/** What the main thread may ask of the writer. */
export type Method = Exclude<keyof WritingConnection, 'isAmidChecks' | 'afterReply'>;
export type Arguments<M extends Method> = Parameters<WritingConnection[M]>;
export type Result<M extends Method> = ReturnType<WritingConnection[M]>;

export interface Call<M extends Method = Method> {
  /** None where no reply is waited for. */
  readonly id: number | undefined;
  readonly method: M;
  readonly args: Arguments<M>;
}

export type Reply = Outcome & { readonly id: number };

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: Failure };

/** An error's parts that survive the way between threads. */
export interface Failure {
  readonly message: string;
  /** SQLite's extended result code. */
  readonly errcode: number | undefined;
}

/** May come while the transaction of staged checks is open. */
const OF_CHECKS: ReadonlySet<Method> = new Set(['stageChecks', 'commitChecks']);

/**
 * Opens the connection that it is told to, says that it is ready, then answers calls one by one, in the order they came; but what
 * comes between staged checks and their commit is answered after that. For the worker, which falls where it cannot open.
 */
export function serveCalls(port: MessagePort, open: (options: WritingOptions) => WritingConnection): void {
  port.once('message', (options: WritingOptions) => {
    answerCalls(port, open(options));
    port.postMessage('ready');
  });
}

function answerCalls(port: MessagePort, connection: WritingConnection): void {
  const held: Call[] = [];
  port.on('message', (call: Call) => {
    if (connection.isAmidChecks() && !OF_CHECKS.has(call.method)) {
      held.push(call);
      return;
    }
    serve(port, connection, call);
    if (!connection.isAmidChecks()) for (const each of held.splice(0)) serve(port, connection, each);
  });
}

function serve(port: MessagePort, connection: WritingConnection, call: Call): void {
  const { id, method } = call;
  const outcome = answer(connection, call);
  if (id !== undefined) port.postMessage({ id, ...outcome } satisfies Reply);
  // With its port closed the worker has nothing to wait for and ends.
  if (method === 'close') port.close();
  else connection.afterReply();
}

function answer(connection: WritingConnection, { method, args }: Call): Outcome {
  try {
    // The union of methods and the union of arguments are known to match; TypeScript cannot pair them.
    const invoke = connection[method] as (...args: readonly unknown[]) => unknown;
    return { ok: true, value: invoke.apply(connection, [...args]) };
  } catch (error) {
    const message = messageOf(error);
    const hasCode = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
    return { ok: false, error: { message, errcode: hasCode ? Number(error.errcode) : undefined } };
  }
}
