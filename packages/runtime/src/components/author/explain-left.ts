import type { LeftItem, LeftWork } from "../../sandbox/contract.ts";
import type { AuthorSource, CodePoint } from "./author-source.ts";
import { callText, memberEnd } from "./chain.ts";
import { type Outcome, outcomeOf, takerOf } from "./call-outcome.ts";
import { functionName, type LooseCall, looseCallOf, looseCallOfPackage, packageOf } from "./loose-calls.ts";

/** Undefined: what is left harms nobody. */
type Cause = LooseCall | "unknown" | undefined;

const mostShown = 5;
const wait: readonly Outcome[] = ["awaited", "returned"];

function culprit(source: AuthorSource, { place, tokens, at }: CodePoint): LooseCall | undefined {
  const token = tokens[at];
  const call = callText(tokens, at);
  return token && call !== undefined ? { call, place: source.placeOf(place.source, token) } : undefined;
}

/** The function around a place is given to a call whose own promise nobody takes: `list.forEach(async (item) => …)`. */
function droppedTaker(source: AuthorSource, point: CodePoint): LooseCall | undefined {
  for (let at = takerOf(point.tokens, point.at); at !== undefined; at = takerOf(point.tokens, at)) {
    const fate = outcomeOf(point.tokens, at);
    if (!wait.includes(fate)) return fate === "raced" ? undefined : culprit(source, { ...point, at });
  }
  return undefined;
}

/** In Node a call with `new` is at that word, and so are frames of `await`. */
function atCallee(point: CodePoint): CodePoint {
  const { tokens, at } = point;
  if (tokens[at]?.text !== "new" && tokens[at]?.text !== "await") return point;
  return { ...point, at: memberEnd(tokens, at + 1) };
}

function judge({ kind, stack }: LeftItem, source: AuthorSource): Cause {
  const places = source.places(stack);
  const points = places.flatMap((place) => source.point(place) ?? []).map(atCallee);
  const [first] = places;
  const ofPackage = first !== undefined && source.point(first) === undefined;
  // What a package waits for by itself when its caller goes on: a connection that it keeps, a time to forget something.
  const isIdle = ofPackage && (kind === "timer" || kind === "interval");
  // Nobody has to await these: it is the function around them that goes on.
  const isEffect = kind === "emit" || kind === "db" || kind === "respond";
  for (const point of points.slice(isEffect ? 1 : 0).toReversed()) {
    const fate = outcomeOf(point.tokens, point.at);
    if (fate === "raced") return undefined;
    if (wait.includes(fate) || (isIdle && fate === "kept")) continue;
    const found = culprit(source, point);
    if (found) return found;
  }
  if (isIdle) return undefined;
  const outermost = points.at(-1);
  if (!outermost) return (first && looseCallOfPackage(source, packageOf(first.source))) ?? "unknown";
  // All that is on the stack is awaited: it is the function itself that nobody waits for.
  const name = functionName(outermost.tokens, outermost.at);
  return (
    droppedTaker(source, outermost) ??
    (name === undefined ? undefined : looseCallOf(source, name)) ??
    culprit(source, outermost) ??
    "unknown"
  );
}

const said = ({ kind, detail }: LeftItem): string =>
  ({
    timer: `a timer of ${detail} had not fired`,
    interval: `an interval of ${detail} was still set`,
    request: `${detail} had no answer`,
    emit: "$emit was called after the end",
    db: `the db key ${JSON.stringify(detail)} was written after the end`,
    respond: `respond (${detail}) was called after the end`,
  })[kind];

/** What authors read of work that an entry left behind (S37); undefined when it harms nobody. */
export function explainLeft(entry: string, { count, told }: LeftWork, source: AuthorSource): string | undefined {
  const lines = new Map<string, Set<string>>();
  let harmless = 0;
  for (const item of told) {
    const verdict = judge(item, source);
    if (!verdict) {
      harmless += 1;
      continue;
    }
    const where = verdict === "unknown" ? "" : `${verdict.call} at ${verdict.place}`;
    lines.set(where, (lines.get(where) ?? new Set()).add(said(item)));
  }
  if (lines.size === 0) return undefined;
  const shown = [...lines].slice(0, mostShown).map(([where, what]) => {
    const [first = "", ...others] = what;
    const all = others.length === 0 ? first : `${first}, and ${others.length} more`;
    return where === "" ? all : `${where}: ${all}`;
  });
  const more = lines.size - shown.length + Math.max(0, count - told.length - harmless);
  if (more > 0) shown.push(`and ${more} more`);
  const head = `${entry} ended while work was not awaited; it ended with it`;
  return shown.length === 1
    ? `${head}: ${shown.join("")}`
    : [`${head}:`, ...shown.map((line) => `- ${line}`)].join("\n");
}
