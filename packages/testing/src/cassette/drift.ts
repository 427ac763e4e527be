import { indented, shown } from "../shown.ts";
import type { Exchange } from "./recording.ts";

/** What the component asks of upstreams is not what was recorded. */
export class CassetteError extends Error {
  override readonly name = "CassetteError";
}

type Asked = Exchange["request"];

export const isSame = (a: Asked, b: Asked): boolean =>
  a.method === b.method && a.url === b.url && (a.body ?? "") === (b.body ?? "");

const line = ({ method, url, body }: Asked): string =>
  `${method} ${url}${body === undefined || body === "" ? "" : ` with ${shown(body)}`}`;

/** What tells two requests apart. */
function differencesOf(recorded: Asked, now: Asked): string[] {
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

const howTo = (file: string): string =>
  `If the component is right, record anew: delete ${file}, or run once with X_CASSETTE=record.`;

/** A request that is not in the recording, or not so often. */
export function unrecordedText(now: Asked, recorded: readonly Asked[], used: ReadonlySet<Asked>, file: string): string {
  const before = recorded.filter((each) => isSame(each, now)).length;
  if (before > 0)
    return `${line(now)} was recorded ${before === 1 ? "once" : `${before} times`}, and is now asked once more. ${howTo(file)}`;
  const nearest = recorded
    .map((each) => ({ each, found: differencesOf(each, now) }))
    .toSorted((a, b) => a.found.length - b.found.length || Number(used.has(a.each)) - Number(used.has(b.each)))[0];
  return [
    `The cassette has no ${line(now)}.`,
    ...(nearest
      ? [`The nearest request that it has is ${line(nearest.each)}:`, indented(nearest.found.join("\n"), "    ")]
      : []),
    howTo(file),
  ].join("\n");
}

/** Recorded requests that nobody made. */
export const unplayedText = (unplayed: readonly Asked[], file: string): string =>
  [
    `The component made ${unplayed.length === 1 ? "a request" : `${unplayed.length} requests`} when this was recorded and not now:`,
    indented(unplayed.map(line).join("\n"), "    "),
    howTo(file),
  ].join("\n");
