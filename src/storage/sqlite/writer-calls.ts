import type { MessagePort } from 'node:worker_threads';
import type { WritingConnection } from './writing-connection.ts';

/** What the main thread may ask of the writer: the methods of its connection. */
export type Method = keyof WritingConnection;
export type Arguments<M extends Method> = Parameters<WritingConnection[M]>;
export type Result<M extends Method> = ReturnType<WritingConnection[M]>;

export interface Call<M extends Method = Method> {
  readonly id: number;
  readonly method: M;
  readonly args: Arguments<M>;
}

export type Reply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: Failure };

/** An error's parts that survive the way between threads. */
export interface Failure {
  readonly message: string;
  /** SQLite's extended result code. */
  readonly errcode: number | undefined;
}

/** Says that it is ready, then answers calls one by one, in the order they came. For the worker. */
export function serveCalls(port: MessagePort, connection: WritingConnection): void {
  port.on('message', (call: Call) => {
    port.postMessage(answer(connection, call));
    // With its port closed the worker has nothing to wait for and ends.
    if (call.method === 'close') port.close();
  });
  port.postMessage('ready');
}

function answer(connection: WritingConnection, { id, method, args }: Call): Reply {
  try {
    // The union of methods and the union of arguments are known to match; TypeScript cannot pair them.
    const invoke = connection[method] as (...args: readonly unknown[]) => unknown;
    return { id, ok: true, value: invoke.apply(connection, [...args]) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hasCode = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
    return { id, ok: false, error: { message, errcode: hasCode ? Number(error.errcode) : undefined } };
  }
}
