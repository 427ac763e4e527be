import type { Tracing } from "../observe/contract.ts";
import { type Answer, ask, type AskParts, type Question } from "./ask.ts";
import type { CachedSource } from "./lane/source-cache.ts";
import { withSpan } from "../observe/in-span.ts";
import { tracedFetch } from "./traced-fetch.ts";

export interface TracedAskParts extends AskParts {
  readonly tracing?: Tracing | undefined;
}

/** Asks within a span. The caller's active span is its parent, and requests of the call continue it. Without tracing it is `ask`. */
export async function askTraced(cached: CachedSource, question: Question, parts: TracedAskParts): Promise<Answer> {
  const { tracing } = parts;
  if (!tracing) return ask(cached, question, parts);
  const { id, componentId } = cached.source;
  const attributes = { "x.component.id": componentId, ...(id !== componentId && { "x.source.id": id }) };
  const span = tracing.begin(question.entry, { kind: "internal", parent: tracing.active(), attributes });
  const following = {
    ...parts,
    fetchFor: (caller, renewed) => tracedFetch(parts.fetchFor(caller, renewed), span, tracing),
  } satisfies AskParts;
  return withSpan(
    span,
    () => ask(cached, question, following),
    ({ error }) => [{}, error?.code],
  );
}
