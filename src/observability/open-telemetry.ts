import type { IncomingHttpHeaders } from 'node:http';
import {
  type Span as ApiSpan,
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { unlessAborted, withDeadline } from '../lib/time.ts';
import { type Logger, warnSeldom } from './logger.ts';
import { type Span, type SpanAttributes, type Tracing, traceHeaders } from './tracing.ts';

/** A stop waits no longer for a collector: draining may have taken ten seconds of the thirty after which a service is killed. */
const FLUSH_MS = 2_000;

const propagator = new W3CTraceContextPropagator();

/**
 * Sends spans in batches over OTLP/HTTP. No check waits for it: spans that are too many, or cannot be sent, are dropped.
 * `sdk-trace-base` 2 reads OTEL_TRACES_SAMPLER and OTEL_BSP_… for itself; `sdk-trace` 3, which follows it, leaves that to its caller.
 */
export class OpenTelemetry implements Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;

  constructor(log: Logger, version: string) {
    tellTrouble(log);
    const own = resourceFromAttributes({ 'service.name': 'postern', 'service.version': version });
    this.#provider = new BasicTracerProvider({
      resource: defaultResource()
        .merge(own)
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    this.#tracer = this.#provider.getTracer('postern', version);
  }

  begin(name: string, headers: IncomingHttpHeaders): Span | undefined {
    const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
    return span.isRecording() ? new OpenSpan(this.#tracer, span) : undefined;
  }

  async close(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => undefined);
    await withDeadline(FLUSH_MS, (passed) => unlessAborted(passed, sent, undefined));
  }
}

class OpenSpan implements Span {
  readonly #context: Context;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: ApiSpan,
  ) {
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
  }

  child(name: string): Span {
    return new OpenSpan(this.tracer, this.tracer.startSpan(name, {}, this.#context));
  }

  run<Result>(work: () => Result): Result {
    const headers: { tracestate?: string } = {};
    propagator.inject(this.#context, headers, defaultTextMapSetter);
    // `tracestate` holds data of the caller's other systems, which the servers that Postern asks must not see.
    delete headers.tracestate;
    return traceHeaders.run({ ...headers }, work);
  }

  end(attributes: SpanAttributes = {}, hasFailed = false): void {
    this.span.setAttributes(attributes);
    if (hasFailed) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

/** Logs settings that are not understood and spans that are not sent, seldom: without a collector many batches a second may fail. */
function tellTrouble(log: Logger): void {
  const warn = warnSeldom(log, 'traces: trouble with OpenTelemetry; checks go on');
  const tell = (reason: string) => warn({ reason });
  setGlobalErrorHandler((error) => tell(codeOf(error) ?? messageOf(error)));
  const nothing = () => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
