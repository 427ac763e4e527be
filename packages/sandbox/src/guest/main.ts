import { countersName, guestOp, hostOp } from "../ops.ts";
import { seededRandom } from "./crypto.ts";
import { type ModuleFunction, preload, requireBuiltin } from "./builtins.ts";
import { keepIntegers } from "./body.ts";
import { fixTime } from "./clock.ts";
import { changeValues } from "./database.ts";
import { describeComponent } from "./describe.ts";
import { leftRequest, pendingFetches, settleFetch } from "./fetch.ts";
import { installGlobals } from "./globals.ts";
import { connect, type Dispatch, log, send } from "./host.ts";
import { beginWork, endWork, reportLeft } from "./left-work.ts";
import { findAnswer } from "./options.ts";
import { enterOrigin, originText } from "./origin.ts";
import { type CallData, createSelf } from "./self.ts";
import { afterAnswers, beginAnswers } from "./respond.ts";
import { addRejection, announceRejections, removeRejection, reportRejections } from "./rejections.ts";
import { describeThrown } from "./thrown.ts";
import { FlowExit } from "./services.ts";
import { fireTimers, leftTimer } from "./timers.ts";
import { runAction, runWorkflow } from "./workflow.ts";

type Seed = [number, number];
type Entry = (...args: unknown[]) => unknown;
interface Component {
  run?: Entry;
  hooks?: Record<string, Entry>;
  methods?: Record<string, unknown>;
  props?: Record<string, unknown>;
  additionalProps?: unknown;
}

const { parse, stringify } = JSON;
/** Stored before a module can change them. */
const OwnPromise = Promise;
const { then } = Promise.prototype;
let component: Component = {};
let namedExports: { $exports: string[] } | undefined;
/** The current call; 0 between calls. In a warm sandbox a promise of an earlier call can settle during a later one. */
let current = 0;
let calls = 0;

function end(call: number, outcome: () => object): void {
  if (call !== current) return;
  current = 0;
  endWork();
  send(hostOp.done, stringify(outcome()));
}
const finish = (call: number, result?: string): void => end(call, () => ({ result }));
const fail = (call: number, error: unknown): void =>
  end(call, () => ({ error: { ...describeThrown(error), origin: originText() } }));

/** Evaluates a module and stores its component: the ES default export or `module.exports`. */
function evaluate(seed: Seed, define: ModuleFunction): void {
  const module: { exports: unknown } = { exports: {} };
  Math.random = seededRandom(...seed);
  const failed = (error: unknown): void => send(hostOp.described, stringify({ error: describeThrown(error) }));
  const succeeded = (): void => {
    const exported = module.exports as { default?: unknown } | null | undefined;
    namedExports = findNamedExports(exported);
    component = ((typeof exported === "object" && exported !== null && exported.default) || exported) as Component;
    send(hostOp.described, stringify({ ok: true }));
  };
  try {
    // A module with a top-level await returns a promise.
    const pending: unknown = define(module, module.exports, requireBuiltin);
    if (pending instanceof OwnPromise) void then.call(pending, succeeded, failed);
    else succeeded();
  } catch (error) {
    failed(error);
  }
}

/** The names that a module exports if it has no default export and is no component itself. */
function findNamedExports(exported: unknown): { $exports: string[] } | undefined {
  const module = exported as Record<string, unknown> | null | undefined;
  if (typeof module !== "object" || module === null) return undefined;
  const names = Object.keys(module);
  // A file without exports counts as CommonJS.
  if (module["__esModule"] !== true && names.length > 0) return undefined;
  return ["default", "run", "steps"].some((name) => name in module) ? undefined : { $exports: names };
}

function sendDescription(): void {
  try {
    send(hostOp.described, stringify({ json: describeComponent(namedExports ?? component) }));
  } catch (error) {
    send(hostOp.described, stringify({ error: describeThrown(error) }));
  }
}

/** The `run` of a component that has none: it emits the tick of its timer. */
function tickOf(data: CallData): Entry | undefined {
  if (Object.keys(data.self.timers).length === 0) return undefined;
  return function emitTick(this: unknown, event: unknown): void {
    const { timestamp } = (event ?? {}) as { timestamp?: unknown };
    const meta = typeof timestamp === "number" ? { id: String(timestamp), ts: timestamp * 1_000 } : {};
    (this as { $emit: (event: unknown, meta: object) => void }).$emit(event ?? {}, meta);
  };
}

function call(data: CallData): void {
  const id = ++calls;
  current = id;
  beginWork();
  beginAnswers();
  enterOrigin(undefined);
  Math.random = seededRandom(...data.seed);
  fixTime(data.now);
  keepIntegers(data.exactIntegers === true);
  announceRejections();
  try {
    const self = createSelf(component, data);
    const answer = findAnswer(data.entry);
    if (answer) {
      answer(component, self, data).then(
        (result) => finish(id, result),
        (error: unknown) => fail(id, error),
      );
      return;
    }
    const entry = data.entry === "run" ? (component.run ?? tickOf(data)) : component.hooks?.[data.entry];
    const steps = data.workflow && Array.isArray((component as { steps?: unknown }).steps);
    const exports = steps
      ? runWorkflow(component as object, data)
      : data.workflow && data.entry === "run"
        ? runAction(component, self, data)
        : undefined;
    // The host checked the description; returning silently would count as success.
    if (!exports && typeof entry !== "function")
      throw new TypeError(`${data.entry} is not a function of this component`);
    const result = exports ?? entry?.call(self, data.event);
    Promise.resolve(result).then(
      (text) => afterAnswers(() => (exports ? finish(id, text as string) : finish(id))),
      (error: unknown) => fail(id, error),
    );
  } catch (error) {
    fail(id, error);
  }
}

/** Coverage of one file: hits of statements, functions and branches. */
interface FileCounters {
  readonly s: Record<string, number>;
  readonly f: Record<string, number>;
  readonly b: Record<string, number[]>;
}

/** Sends the counters of instrumented code in this realm, if any of it ran; `restart` sets them to 0. */
function sendCounters({ restart }: { restart: boolean }): void {
  const counted = (globalThis as Record<string, unknown>)[countersName] as Record<string, FileCounters> | undefined;
  if (counted === undefined) return;
  send(hostOp.counters, stringify(counted));
  if (!restart) return;
  // Code of a warm realm keeps using the same objects.
  for (const { s, f, b } of Object.values(counted)) {
    for (const hits of [s, f]) for (const key of Object.keys(hits)) hits[key] = 0;
    for (const hits of Object.values(b)) hits.fill(0);
  }
}

const reportError = (error: unknown): void => {
  if (current !== 0) return error instanceof FlowExit ? finish(current) : fail(current, error);
  const thrown = describeThrown(error);
  log("error", thrown.stack, "[]");
};

/** The guest's only entry point; the host keeps the function that it returns. */
export function enter(dispatch: Dispatch): (op: number, text: string, extra?: unknown, reason?: unknown) => number {
  connect(dispatch);
  installGlobals(reportError);
  return (op, text, extra, reason) => {
    switch (op) {
      case guestOp.evaluate:
        evaluate(parse(text) as Seed, extra as ModuleFunction);
        break;
      case guestOp.preload:
        preload(parse(text) as string[]);
        break;
      case guestOp.describe:
        sendDescription();
        break;
      case guestOp.call:
        call(parse(text) as CallData);
        break;
      case guestOp.timers:
        fireTimers(parse(text) as number[], reportError);
        break;
      case guestOp.fetched:
        settleFetch(parse(text) as Parameters<typeof settleFetch>[0], extra as ArrayBuffer | undefined);
        break;
      case guestOp.dbChanged:
        changeValues(parse(text) as Parameters<typeof changeValues>[0]);
        break;
      case guestOp.left:
        reportLeft(parse(text) as Parameters<typeof reportLeft>[0], { timer: leftTimer, request: leftRequest });
        break;
      case guestOp.counters:
        sendCounters(parse(text) as Parameters<typeof sendCounters>[0]);
        break;
      case guestOp.rejected:
        addRejection(extra as object, reason);
        break;
      case guestOp.handled:
        removeRejection(extra as object);
        break;
      case guestOp.rejections:
        reportRejections();
        break;
      default:
    }
    return pendingFetches();
  };
}
