import { XError } from "@x/model";
import type { Span, SpanAttributes, SpanOptions, Tracing } from "./contract.ts";

/** Does work in a span; without tracing it only does the work. */
export async function inSpan<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  return tracing ? withSpan(tracing.begin(name, options), work) : work();
}

/** Does work in a span that has begun. `describe` says what the span tells of the result: attributes, and the code of an error. */
export async function withSpan<T>(
  span: Span,
  work: () => Promise<T>,
  describe: (done: T) => readonly [attributes?: SpanAttributes, error?: string | undefined] = () => [],
): Promise<T> {
  try {
    const done = await span.within(work);
    span.end(...describe(done));
    return done;
  } catch (error) {
    span.end({}, XError.is(error) ? error.code : "internal");
    throw error;
  }
}
