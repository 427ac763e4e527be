import { errorCatalogue, type Runtime, XError } from "@x/runtime";

import type { Answer } from "@x/http";

const internalStatus = 500;

const statusOf = (error: unknown): number => (XError.is(error) ? errorCatalogue[error.code].status : internalStatus);

/**
 * Answers a request of the interface in a span, which what it leads to continues. `route`: the pattern of its path. Where no SDK of OpenTelemetry is registered it
 * only answers. An event stream is answered when it begins.
 */
export async function tracedAnswer(
  runtime: Pick<Runtime, "beginSpan">,
  { method, headers }: Pick<Request, "method" | "headers">,
  route: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const span = runtime.beginSpan(`${method} ${route}`, {
    traceparent: headers.get("traceparent") ?? undefined,
    attributes: { "http.request.method": method, "http.route": route },
  });
  if (!span) return work();
  const end = (status: number, code?: string): void =>
    span.end({ "http.response.status_code": status }, status >= internalStatus ? (code ?? String(status)) : undefined);
  try {
    const answer = await span.within(work);
    end(answer.status);
    return answer;
  } catch (error) {
    end(statusOf(error), XError.is(error) ? error.code : "internal");
    throw error;
  }
}
