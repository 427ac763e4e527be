import type { Answerer } from "../traffic/upstream.ts";
import { CassetteError, isSame, unplayedText, unrecordedText } from "./drift.ts";
import { type Exchange, replayed } from "./recording.ts";
import type { WrittenForm } from "./written-form.ts";

/** Answers what was recorded, each exchange once; `isRepeated`: as often as it is asked. */
export function replay(recording: readonly Exchange[], file: string, form: WrittenForm, isRepeated: boolean): Answerer {
  const used = new Set<Exchange>();
  let problem: string | undefined;
  let hasDrifted = false;
  return {
    begin: form.begin,
    answer(request) {
      const asked = form.request(request);
      const found = recording.find(
        (exchange) => (isRepeated || !used.has(exchange)) && isSame(exchange.request, asked),
      );
      if (!found) {
        const played = new Set([...used].map((exchange) => exchange.request));
        const requests = recording.map((exchange) => exchange.request);
        problem ??= unrecordedText(asked, requests, played, file);
        return Promise.reject(new Error(`the cassette has no recording of ${asked.method} ${asked.url}`));
      }
      used.add(found);
      return Promise.resolve(replayed(found, form.replayed));
    },
    check() {
      const text = problem;
      problem = undefined;
      if (text === undefined) return;
      hasDrifted = true;
      throw new CassetteError(text);
    },
    close() {
      // What comes after a drift says nothing.
      if (isRepeated || hasDrifted) return;
      const unplayed = recording.filter((exchange) => !used.has(exchange)).map(({ request }) => request);
      if (unplayed.length > 0) throw new CassetteError(unplayedText(unplayed, file));
    },
  };
}
