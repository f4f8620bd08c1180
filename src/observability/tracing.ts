import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { InjectionToken } from '../di.ts';

/** What a span says beside its name and times: ids of ours and results, never an address, a part of one, or a key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A step of a request that is under way, as a tracing backend will show it. */
export interface Span {
  /** A step within this one. */
  child(name: string): Span;
  /** Runs `work`; its own HTTP requests carry this span in their `traceHeaders`. */
  run<Result>(work: () => Result): Result;
  /** To be called once. */
  end(attributes?: SpanAttributes, hasFailed?: boolean): void;
}

/** Begins spans. Without tracing there is no span, and a check costs nothing more. */
export interface Tracing {
  /** The span of a request, within the trace that its `traceparent` names; undefined when the sampler leaves it out. */
  begin(name: string, headers: IncomingHttpHeaders): Span | undefined;
  /** Sends the spans that are left; gives up after some seconds. */
  close(): Promise<void>;
}

export const TRACING: InjectionToken<Tracing> = Symbol('Tracing');

/** For a service without tracing. */
export const noTracing: Tracing = { begin: () => undefined, close: () => Promise.resolve() };

/** Headers of the requests that are made within a span: `traceparent`. */
export const traceHeaders = new AsyncLocalStorage<Readonly<Record<string, string>>>();
