import { readEmitTime, secondsWarning } from "../emit-time.ts";
import { hostOp } from "../ops.ts";
import { effect, log } from "./host.ts";
import { requireJson } from "./json-text.ts";
import { noteLate } from "./left-work.ts";

interface Meta {
  id?: unknown;
  summary?: unknown;
  ts?: unknown;
  name?: unknown;
}

const { stringify } = JSON;
const naming = { subject: "event", what: "$emit", path: "event", error: "EmitSerializationError" };

const readId = (id: unknown): string | undefined =>
  typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : undefined;

/** An id that cannot identify an event, as an error message shows it; undefined for a usable id and for none. */
function unusableId(id: unknown): string | undefined {
  if (id === "") return '""';
  if (typeof id === "number") return Number.isFinite(id) ? undefined : String(id);
  if (id === undefined || typeof id === "string" || typeof id === "bigint") return undefined;
  return id === null ? "null" : Array.isArray(id) ? "an array" : `a value of type ${typeof id}`;
}

export type EmitMode = boolean | "error";

const isInexact = (id: unknown): boolean => Number.isInteger(id) && !Number.isSafeInteger(id);

const inexactWarning = (id: unknown): string =>
  `$emit: id ${String(id)} is a number beyond 2^53, where several ids become the same number, so new events can be dropped as repeated ones; take the id as text from bodyRaw, let the service send it as text, or set exactIntegers: true in the component`;

/** What `$emit` depends on: the running entry, and the component's strategy. */
interface EmitCall {
  readonly entry: string;
  readonly emit: EmitMode;
  readonly dedupe?: string;
}

/** `this.$emit(event, meta)`: checks and copies the event synchronously, then resolves. */
export function createEmit({ emit: mode, entry, dedupe }: EmitCall): (event?: unknown, meta?: Meta) => Promise<void> {
  const warned = new Set<string>();
  const warnOnce = (kind: string, text: string): void => {
    if (!warned.has(kind)) log("warn", text, "[]");
    warned.add(kind);
  };
  const readTs = (ts: unknown): number | undefined => {
    if (ts === undefined || ts === null) return undefined;
    const { ms, seemsSeconds } = readEmitTime(ts);
    if (ms === undefined)
      log("warn", `$emit: ts ${String(ts)} is not a time; the event is treated as having none`, "[]");
    else if (seemsSeconds) warnOnce("seconds", secondsWarning(ts));
    return ms;
  };
  return (event, given) => {
    if (mode === "error")
      throw new Error(`$emit is not available in ${entry === "deactivate" ? "the deactivate hook" : entry}`);
    const payload = event === undefined ? "null" : requireJson(event, naming);
    const meta = given ?? {};
    const id = readId(meta.id);
    const ts = readTs(meta.ts);
    const summary = meta.summary === undefined || meta.summary === null ? undefined : String(meta.summary);
    const name = meta.name === undefined || meta.name === null ? undefined : String(meta.name);
    if (mode) {
      if (dedupe !== undefined && isInexact(meta.id)) warnOnce("id", inexactWarning(meta.id));
      effect(hostOp.emit, `${stringify({ id, unusableId: unusableId(meta.id), ts, summary, name })}\n${payload}`);
      noteLate("emit", "");
    }
    return Promise.resolve();
  };
}
