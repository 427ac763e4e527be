import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";

import { isDeepStrictEqual } from "node:util";

import type { Sandbox } from "../../packages/sandbox/src/contract.ts";
import { openSandbox, type Seen, type Trial, tryComponent } from "../../packages/sandbox/src/sandbox.cases.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { type WallInput, wallInput } from "./wall-inputs.ts";

/** What V8 makes of the expression. */
interface Model {
  /** Its JSON text; absent when there is none. */
  readonly text?: string;
  readonly kind: string;
  /** `String` of it; absent when that throws. */
  readonly string?: string;
}

const maxDepth = 256;
const maxEventBytes = 6 * 1024 * 1024;
const maxDbBytes = 60 * 1024;

/** Evaluates the expression once for each use, because reading it may change it. */
function model(code: string): Model | undefined {
  const script = `(() => {
    const make = () => (${code});
    let kind;
    try { kind = typeof make(); } catch { return undefined; }
    const found = { kind };
    try { const text = JSON.stringify(make()); if (text !== undefined) found.text = text; } catch {}
    try { found.string = String(make()); } catch {}
    return found;
  })()`;
  return runInNewContext(script, { globalThis: undefined }, { timeout: 10_000 }) as Model | undefined;
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (sign === "[" || sign === "{") deepest = Math.max(deepest, ++depth);
    else if (sign === "]" || sign === "}") depth -= 1;
  }
  return deepest;
}

/** What each way does, with the value in `v`; the second event says how it ended. */
const acts: { readonly [way in WallInput["way"]]: string } = {
  emit: "this.$emit(v)",
  db: "this.db.set('k', v)",
  id: "this.$emit(1, { id: v })",
  summary: "this.$emit(1, { summary: v })",
  log: "console.log(v); console.log('%s %d %j %o', v, v, v, v)",
  throw: "throw v",
  body: "this.http.respond({ status: 200, body: v })",
  event: "this.$emit(event)",
  props: "this.$emit(this.p)",
  stored: "this.$emit(this.db.get('before'))",
};

function programOf({ way, code, tampering }: WallInput): string {
  const end =
    way === "throw" ? "" : "; ended = 'done' } catch (error) { ended = String(error?.name) } this.$emit([ended]);";
  return `module.exports = { name: "t", version: "1", async run(event) {
    let v, ended;
    try { v = (${code}) } catch { v = 'unmade' }
    ${tampering.map((each) => `try { ${each} } catch {}`).join("\n    ")}
    ${way === "throw" ? acts.throw : `try { ${acts[way]}${end}`}
  } };`;
}

/** The text that arrives, or the names that an error may have. */
type Expected = { readonly text: string } | { readonly refused: readonly string[] };

/** Of a text that nests deeper than the limit; the engine's own stack may end first. */
const tooDeep = (text: string, limit: number, name: string): Expected | undefined =>
  depthOf(text) > limit ? { refused: [name, "EmitSerializationError", "RangeError", "InternalError"] } : undefined;

type Rule = (input: WallInput, model: Model) => Expected | undefined;
const given: Rule = ({ value }) => ({ text: JSON.stringify(value) });

/** What the documented rules say of a value on each way; undefined where they leave it open. */
const rules: { readonly [way in WallInput["way"]]?: Rule } = {
  event: given,
  props: given,
  stored: given,
  emit(_, { kind, text }) {
    if (kind === "undefined") return { text: "null" };
    if (text === undefined) return { refused: ["EmitSerializationError"] };
    if (Buffer.byteLength(text) > maxEventBytes) return { refused: ["EmitTooLargeError"] };
    return tooDeep(text, maxDepth, "EmitTooDeepError") ?? { text };
  },
  db(_, { text }) {
    if (text === undefined) return undefined;
    if (Buffer.byteLength(text) > maxDbBytes) return { refused: ["DbValueTooLargeError", "DbTooLargeError"] };
    return tooDeep(text, 1_024, "DbValueTooDeepError") ?? { text };
  },
  id(_, { kind, string = "" }) {
    if (!["string", "number", "bigint"].includes(kind)) return undefined;
    // Longer ids are stored as their hash.
    return { text: string.length > 4_096 ? createHash("sha256").update(string).digest("hex") : string };
  },
  summary(_, { kind, string }) {
    // Engines write functions as they like.
    if (string === undefined || kind === "undefined" || string === "null" || string.includes("[native code]"))
      return undefined;
    return { text: string.slice(0, 1_000) };
  },
};

/** What arrived at the host. */
function arrived(way: WallInput["way"], { emits, db }: Seen): string | undefined {
  if (way === "db") return db[0]?.[1];
  const [first] = emits;
  return way === "id" ? first?.id : way === "summary" ? first?.summary : first?.payload;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);

function must(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem);
}

/** What must hold for everything that reaches the host, whatever the component has changed. */
function checkForms({ outcome, emits, db, logs, responses }: Seen): void {
  must(["ok", "error", "timeout", "out_of_memory"].includes(outcome.status), `status ${outcome.status}`);
  for (const { payload, id, summary, ts, name } of emits) {
    JSON.parse(payload);
    must([id, summary, name].every(isTextOrNone), "metadata is no text");
    must(Number.isFinite(ts ?? 0), `ts is ${ts}`);
  }
  for (const [key, value] of db) {
    must(key.isWellFormed(), "a key has half of a character");
    JSON.parse(value ?? "null");
  }
  for (const { msg, data } of logs) must(isText(msg) && Array.isArray(JSON.parse(data)), "no log record");
  for (const { status, headers, body } of responses)
    must(Number.isInteger(status) && Array.isArray(headers) && body instanceof Uint8Array, "no response");
  const { code = "", name = "", message = "", stack = "" } = outcome.error ?? {};
  must([code, name, message, stack].every(isText), "an error without texts");
}

function checkValue(input: WallInput, seen: Seen): void {
  const { way } = input;
  const made = model(input.code);
  const { outcome, emits } = seen;
  if (way === "throw") {
    if (made && outcome.status !== "error") throw new Error(`a throw ends with ${outcome.status}`);
    return;
  }
  if (outcome.status !== "ok") throw new Error(`the run ends with ${outcome.status} ${outcome.error?.message}`);
  const expected = made && rules[way]?.(input, made);
  if (!expected) return;
  const ended = String((JSON.parse(emits.at(-1)?.payload ?? "[]") as unknown[])[0]);
  // The conversion of nested lists to text takes more of the engine's stack than JSON does.
  if (way === "summary" && ended === "InternalError") return;
  if ("refused" in expected) {
    if (!expected.refused.includes(ended)) throw new Error(`ends with ${ended}, not ${expected.refused.join(" or ")}`);
    return;
  }
  const text = arrived(way, seen);
  if (text !== expected.text || ended !== "done")
    throw new Error(`${String(text).slice(0, 1_000)} (${ended}) arrives, not ${expected.text.slice(0, 1_000)}`);
}

async function check(sandbox: Sandbox, input: WallInput): Promise<void> {
  const hasChanges = input.tampering.length > 0;
  const trial: Trial = {
    db: { before: input.value },
    // What a component has changed may never end; others have time on a busy machine.
    timeoutMs: hasChanges ? 1_000 : 60_000,
    call: {
      event: JSON.stringify(input.value),
      self: {
        props: { p: input.value },
        http: { http: { endpoint: "http://e.test", customResponse: true } },
        timers: {},
        db: ["db"],
        auth: {},
      },
      httpProp: "http",
    },
  };
  const seen = await tryComponent(sandbox, programOf(input), trial);
  checkForms(seen);
  if (!hasChanges) checkValue(input, seen);
  else {
    // Nothing of it is left for the next call.
    const next = await tryComponent(sandbox, programOf({ way: "event", code: "1", value: 0, tampering: [] }), {
      event: { a: [1, "\ud800"] },
    });
    const payloads = next.emits.map(({ payload }) => payload);
    if (!isDeepStrictEqual(payloads, ['{"a":[1,"\\ud800"]}', '["done"]']))
      throw new Error(`the next call emits ${payloads.join()}`);
  }
}

export const wallFuzzer: Fuzzer = {
  name: "wall",
  about: "values cross the wall of the sandbox as JSON says, or are refused, whatever a component has changed",
  runs: 400,
  async open() {
    const sandbox = await openSandbox();
    return defineTarget<WallInput>({
      arbitrary: wallInput,
      property: (input) => check(sandbox, input),
      close: () => sandbox.close(),
    });
  },
};
