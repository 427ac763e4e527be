import type { LeftItem, LeftWork } from "../../sandbox/contract.ts";
import type { AuthorSource, CodePoint } from "./author-source.ts";
import { callText, memberEnd } from "./chain.ts";
import { type Outcome, outcomeOf, takerOf } from "./call-outcome.ts";
import { functionName, type LooseCall, looseCallOf, looseCallOfPackage, packageOf } from "./loose-calls.ts";

/** The cause of unfinished work; undefined when the work is harmless. */
type Cause = LooseCall | "unknown" | undefined;

const mostShown = 5;
const wait: readonly Outcome[] = ["awaited", "returned"];

function culprit(source: AuthorSource, { position, tokens, at }: CodePoint): LooseCall | undefined {
  const token = tokens[at];
  const call = callText(tokens, at);
  return token && call !== undefined ? { call, position: source.positionOf(position.source, token) } : undefined;
}

/** The call that receives the function around a position and drops its promise: `list.forEach(async (item) => …)`. */
function droppedTaker(source: AuthorSource, point: CodePoint): LooseCall | undefined {
  for (let at = takerOf(point.tokens, point.at); at !== undefined; at = takerOf(point.tokens, at)) {
    const outcome = outcomeOf(point.tokens, at);
    if (!wait.includes(outcome)) return outcome === "raced" ? undefined : culprit(source, { ...point, at });
  }
  return undefined;
}

/** Moves a position at `new` or `await` to the callee. */
function atCallee(point: CodePoint): CodePoint {
  const { tokens, at } = point;
  if (tokens[at]?.text !== "new" && tokens[at]?.text !== "await") return point;
  return { ...point, at: memberEnd(tokens, at + 1) };
}

/** The cause when all calls on the stack are awaited: the function itself was not. */
function outermostCause(source: AuthorSource, outermost: CodePoint): Cause {
  const name = functionName(outermost.tokens, outermost.at);
  return (
    droppedTaker(source, outermost) ??
    (name === undefined ? undefined : looseCallOf(source, name)) ??
    culprit(source, outermost) ??
    "unknown"
  );
}

function causeOf({ kind, stack }: LeftItem, source: AuthorSource): Cause {
  const positions = source.positions(stack);
  const points = positions.flatMap((position) => source.point(position) ?? []).map(atCallee);
  const [first] = positions;
  const ofPackage = first !== undefined && source.point(first) === undefined;
  // Timers of packages that need no caller: idle connections, expiry of caches.
  const isIdle = ofPackage && (kind === "timer" || kind === "interval");
  // Effects need no await: the function around them was not awaited.
  const isEffect = kind === "emit" || kind === "db" || kind === "respond";
  for (const point of points.slice(isEffect ? 1 : 0).toReversed()) {
    const outcome = outcomeOf(point.tokens, point.at);
    if (outcome === "raced") return undefined;
    if (wait.includes(outcome) || (isIdle && outcome === "kept")) continue;
    const found = culprit(source, point);
    if (found) return found;
  }
  if (isIdle) return undefined;
  const outermost = points.at(-1);
  if (outermost) return outermostCause(source, outermost);
  return (first && looseCallOfPackage(source, packageOf(first.source))) ?? "unknown";
}

const textOf = ({ kind, detail }: LeftItem): string =>
  ({
    timer: `a timer of ${detail} had not fired`,
    interval: `an interval of ${detail} was still set`,
    request: `${detail} had no answer`,
    emit: "$emit was called after the end",
    db: `the db key ${JSON.stringify(detail)} was written after the end`,
    respond: `respond (${detail}) was called after the end`,
  })[kind];

/** The message about work that an entry left unfinished; undefined when it is harmless. */
export function explainLeft(entry: string, { count, items }: LeftWork, source: AuthorSource): string | undefined {
  const lines = new Map<string, Set<string>>();
  let harmless = 0;
  for (const item of items) {
    const cause = causeOf(item, source);
    if (!cause) {
      harmless += 1;
      continue;
    }
    const where = cause === "unknown" ? "" : `${cause.call} at ${cause.position}`;
    lines.set(where, (lines.get(where) ?? new Set()).add(textOf(item)));
  }
  if (lines.size === 0) return undefined;
  const shown = [...lines].slice(0, mostShown).map(([where, what]) => {
    const [first = "", ...others] = what;
    const all = others.length === 0 ? first : `${first}, and ${others.length} more`;
    return where === "" ? all : `${where}: ${all}`;
  });
  const more = lines.size - shown.length + Math.max(0, count - items.length - harmless);
  if (more > 0) shown.push(`and ${more} more`);
  const head = `${entry} ended while work was not awaited; it ended with it`;
  return shown.length === 1
    ? `${head}: ${shown.join("")}`
    : [`${head}:`, ...shown.map((line) => `- ${line}`)].join("\n");
}
