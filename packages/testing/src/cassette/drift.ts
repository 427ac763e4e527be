import { indented, shown } from "../shown.ts";
import type { Exchange } from "./recording.ts";

/** The component's requests differ from the recorded ones. */
export class CassetteError extends Error {
  override readonly name = "CassetteError";
}

/** A request as a recording contains it. */
type WrittenRequest = Exchange["request"];

export const isSame = (a: WrittenRequest, b: WrittenRequest): boolean =>
  a.method === b.method && a.url === b.url && (a.body ?? "") === (b.body ?? "");

const line = ({ method, url, body }: WrittenRequest): string =>
  `${method} ${url}${body === undefined || body === "" ? "" : ` with ${shown(body)}`}`;

/** The differences of two requests, one line each. */
function differencesOf(recorded: WrittenRequest, now: WrittenRequest): string[] {
  const found: string[] = [];
  const note = (what: string, before: string | null | undefined, after: string | null | undefined): void => {
    if ((before ?? "") !== (after ?? ""))
      found.push(`${what}: recorded ${shown(before ?? null)}, now ${shown(after ?? null)}`);
  };
  const [before, after] = [new URL(recorded.url), new URL(now.url)];
  note("method", recorded.method, now.method);
  note("origin", before.origin, after.origin);
  note("path", before.pathname, after.pathname);
  for (const name of new Set([...before.searchParams.keys(), ...after.searchParams.keys()]))
    note(`query ${name}`, before.searchParams.get(name), after.searchParams.get(name));
  note("body", recorded.body, now.body);
  return found;
}

const advice = (file: string): string =>
  `If the component is right, record again: delete ${file}, or run once with X_CASSETTE=record.`;

/** The message for a request that is not in the recording, or not as often. */
export function unrecordedText(
  now: WrittenRequest,
  recorded: readonly WrittenRequest[],
  used: ReadonlySet<WrittenRequest>,
  file: string,
): string {
  const before = recorded.filter((each) => isSame(each, now)).length;
  if (before > 0)
    return `${line(now)} was recorded ${before === 1 ? "once" : `${before} times`}, and the component sent it once more. ${advice(file)}`;
  const nearest = recorded
    .map((each) => ({ each, found: differencesOf(each, now) }))
    .toSorted((a, b) => a.found.length - b.found.length || Number(used.has(a.each)) - Number(used.has(b.each)))[0];
  return [
    `The cassette has no ${line(now)}.`,
    ...(nearest
      ? [`The most similar recorded request is ${line(nearest.each)}:`, indented(nearest.found.join("\n"), "    ")]
      : []),
    advice(file),
  ].join("\n");
}

/** The message for recorded requests that the component did not make. */
export const unplayedText = (unplayed: readonly WrittenRequest[], file: string): string =>
  [
    `The component made ${unplayed.length === 1 ? "a request" : `${unplayed.length} requests`} when this was recorded, but not now:`,
    indented(unplayed.map(line).join("\n"), "    "),
    advice(file),
  ].join("\n");
