import type { Answerer } from "../traffic/upstream.ts";
import { CassetteError, isSame, unplayedText, unrecordedText } from "./drift.ts";
import { type Exchange, replayed } from "./recording.ts";
import type { WrittenForm } from "./written-form.ts";

/** Answers with each recorded exchange once; `isRepeated`: any number of times. */
export function replay(recording: readonly Exchange[], file: string, form: WrittenForm, isRepeated: boolean): Answerer {
  const used = new Set<Exchange>();
  let problem: string | undefined;
  let hasDiffered = false;
  return {
    begin: form.begin,
    answer(given) {
      const request = form.request(given);
      const found = recording.find(
        (exchange) => (isRepeated || !used.has(exchange)) && isSame(exchange.request, request),
      );
      if (!found) {
        const played = new Set([...used].map((exchange) => exchange.request));
        const requests = recording.map((exchange) => exchange.request);
        problem ??= unrecordedText(request, requests, played, file);
        return Promise.reject(new Error(`the cassette has no recording of ${request.method} ${request.url}`));
      }
      used.add(found);
      return Promise.resolve(replayed(found, form.replayed));
    },
    check() {
      const text = problem;
      problem = undefined;
      if (text === undefined) return;
      hasDiffered = true;
      throw new CassetteError(text);
    },
    close() {
      // Requests after the first difference cannot be compared.
      if (isRepeated || hasDiffered) return;
      const unplayed = recording.filter((exchange) => !used.has(exchange)).map(({ request }) => request);
      if (unplayed.length > 0) throw new CassetteError(unplayedText(unplayed, file));
    },
  };
}
