import { XError } from "@x/model";
import type { SpanOptions, Tracing } from "./contract.ts";

/** Does work in a span; without tracing it only does the work. */
export async function inSpan<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing) return work();
  const span = tracing.begin(name, options);
  try {
    const done = await span.within(work);
    span.end();
    return done;
  } catch (error) {
    span.end({}, XError.is(error) ? error.code : "internal");
    throw error;
  }
}
