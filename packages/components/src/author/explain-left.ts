import { notExplained, type Budget } from "@x/model";
import type { LeftItem, LeftWork } from "@x/sandbox";
import type { AuthorSource, CodePoint } from "./author-source.ts";
import { isCallee, memberEnd } from "./chain.ts";
import { type Outcome, outcomeOf } from "./call-outcome.ts";
import { calledInPlace, functionAround } from "./function-around.ts";
import {
  callAt,
  type LooseCall,
  looseCallAround,
  looseCallOfPackage,
  packageOf,
  type TokenPlace,
} from "./loose-calls.ts";
import { pairOf } from "./tokens.ts";

/** The cause of unfinished work; undefined when the work is harmless. */
type Cause = LooseCall | "unknown" | undefined;

const maxShown = 5;
const wait: readonly Outcome[] = ["awaited", "returned"];

const placeOf = ({ position, tokens, at }: CodePoint): TokenPlace => ({ file: position.source, tokens, at });

/** Moves a position at `new`, `await` or a bracket to the callee. */
function atCallee(point: CodePoint, budget: Budget): CodePoint {
  const { tokens } = point;
  let { at } = point;
  while (["new", "await"].includes(tokens[at]?.text ?? "") && budget.take(1)) at = memberEnd(tokens, at + 1);
  const text = tokens[at]?.text;
  if (text === "(") return { ...point, at: isCallee(tokens, at - 1) ? at - 1 : memberEnd(tokens, pairOf(tokens, at)) };
  const ended = text === "}" ? functionAround(tokens, at, budget) : undefined;
  return { ...point, at: (ended?.last === at ? calledInPlace(tokens, ended, budget) : undefined) ?? at };
}

/** True when a call passes nothing on that its caller could await: a function that is not async drops the inner call. */
function dropsInside({ tokens, at }: CodePoint, budget: Budget): boolean {
  return outcomeOf(tokens, at, budget) === "dropped" && functionAround(tokens, at, budget)?.isAsync === false;
}

/** The outermost call of a stack, latest first, whose promise was not awaited; "harmless": it lost a race. */
function droppedCall(
  source: AuthorSource,
  points: readonly CodePoint[],
  isHarmless: (outcome: Outcome) => boolean,
): LooseCall | "harmless" | undefined {
  const calls = points.toReversed();
  for (const [index, point] of calls.entries()) {
    const outcome = outcomeOf(point.tokens, point.at, source.budget);
    if (outcome === "raced") return "harmless";
    const inner = calls[index + 1];
    if (wait.includes(outcome) || isHarmless(outcome) || (inner && dropsInside(inner, source.budget))) continue;
    const found = callAt(source, placeOf(point));
    if (found) return found;
  }
  return undefined;
}

function causeOf({ kind, stack }: LeftItem, source: AuthorSource): Cause {
  const positions = source.positions(stack);
  const points = positions
    .flatMap((position) => source.point(position) ?? [])
    .map((point) => atCallee(point, source.budget));
  const [first] = positions;
  const ofPackage = first !== undefined && source.point(first) === undefined;
  // Timers of packages that need no caller: idle connections, expiry of caches.
  const isIdle = ofPackage && (kind === "timer" || kind === "interval");
  // Effects need no await: the function around them was not awaited.
  const isEffect = kind === "emit" || kind === "db" || kind === "data_store" || kind === "respond";
  const found = droppedCall(source, points.slice(isEffect ? 1 : 0), (outcome) => isIdle && outcome === "kept");
  if (found) return found === "harmless" ? undefined : found;
  if (isIdle) return undefined;
  const outermost = points.at(-1);
  // All calls on the stack are awaited: the function itself was not.
  const called = outermost && (looseCallAround(source, placeOf(outermost)) ?? callAt(source, placeOf(outermost)));
  if (outermost) return called ?? "unknown";
  return (first && looseCallOfPackage(source, packageOf(first.source))) ?? "unknown";
}

const textOf = ({ kind, detail }: LeftItem): string =>
  ({
    timer: `a timer of ${detail} had not fired`,
    interval: `an interval of ${detail} was still set`,
    request: `${detail} had no answer`,
    emit: "$emit was called after the end",
    db: `the db key ${JSON.stringify(detail)} was written after the end`,
    data_store: `the data store key ${JSON.stringify(detail)} was written after the end`,
    respond: `respond (${detail}) was called after the end`,
  })[kind];

/** The message about work that an entry left unfinished; undefined when it is harmless. */
export function explainLeft(entry: string, { count, items }: LeftWork, source: AuthorSource): string | undefined {
  const lines = new Map<string, Set<string>>();
  let harmless = 0;
  for (const item of items) {
    const found = causeOf(item, source);
    const isExplained = source.budget.take(0);
    const cause = isExplained ? found : "unknown";
    if (!cause) {
      harmless += 1;
      continue;
    }
    const where = cause === "unknown" ? "" : `${cause.call} at ${cause.position}`;
    const what = isExplained ? textOf(item) : `${textOf(item)} (${notExplained})`;
    lines.set(where, (lines.get(where) ?? new Set()).add(what));
  }
  if (lines.size === 0) return undefined;
  const shown = [...lines].slice(0, maxShown).map(([where, what]) => {
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
