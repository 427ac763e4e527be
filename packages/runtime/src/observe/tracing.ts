import type * as OpenTelemetry from "@opentelemetry/api";

import { type Logger, version } from "@x/model";
import type { Span, SpanOptions, Tracing } from "./contract.ts";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

/** Where the API keeps what an SDK has registered, whichever copy of it is loaded. */
const registry = Symbol.for("opentelemetry.js.api.1");

function isRegistered(): boolean {
  const registered: unknown = (globalThis as { readonly [key: symbol]: unknown })[registry];
  return typeof registered === "object" && registered !== null && "trace" in registered;
}

/** Undefined for the ids of zeros that a tracer without an SDK has. */
function traceparentFrom(span: OpenTelemetry.Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const text = formatTraceparent({ traceId, spanId, sampled: (traceFlags & 1) === 1 });
  return parseTraceparent(text) && text;
}

/** A span that could not be made: what is below it continues the trace above it. */
const lostSpan = ({ parent }: SpanOptions): Span => ({ traceparent: parent, within: (work) => work(), end() {} });

function createTracing(api: typeof OpenTelemetry, logger: Logger): Tracing {
  const { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const tracer = trace.getTracer("@x/runtime", version);
  const kinds: { readonly [kind in SpanOptions["kind"]]: OpenTelemetry.SpanKind } = {
    internal: SpanKind.INTERNAL,
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
  };

  let isLogged = false;
  /** An SDK whose processor or sampler throws must not fail a run. */
  function guard<T>(otherwise: T, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isLogged) logger.error("a span could not be made; further ones are not logged", { error: String(error) });
      isLogged = true;
      return otherwise;
    }
  }

  function parentContext(traceparent: string | undefined): OpenTelemetry.Context {
    const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
    if (!parent) return ROOT_CONTEXT;
    const { traceId, spanId, sampled } = parent;
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true });
  }

  const begin: Tracing["begin"] = (name, { kind, parent, attributes, startedAt }) => {
    const below = parentContext(parent);
    const options = { kind: kinds[kind], attributes: { ...attributes } };
    const span = tracer.startSpan(
      name,
      startedAt === undefined ? options : { ...options, startTime: startedAt },
      below,
    );
    return {
      traceparent: traceparentFrom(span),
      within: (work) => context.with(trace.setSpan(context.active(), span), work),
      end: (more = {}, error) =>
        guard(undefined, () => {
          span.setAttributes({ ...more, ...(error !== undefined && { "error.type": error }) });
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        }),
    };
  };

  return {
    active: () =>
      guard(undefined, () => {
        const span = trace.getSpan(context.active());
        return span && traceparentFrom(span);
      }),
    begin: (name, options) => guard(lostSpan(options), () => begin(name, options)),
  };
}

/** The tracing of the SDK that this process has registered; undefined, and nothing is loaded, where there is none. */
export async function loadTracing(logger: Logger): Promise<Tracing | undefined> {
  if (!isRegistered()) return undefined;
  try {
    return createTracing(await import("@opentelemetry/api"), logger);
  } catch (error) {
    logger.warn("there are no traces: @opentelemetry/api cannot be loaded", { error: String(error) });
    return undefined;
  }
}
