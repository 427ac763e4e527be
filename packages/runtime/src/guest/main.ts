import { guestOp, hostOp } from "../sandbox/ops.ts";
import { seededRandom } from "./crypto.ts";
import { type ModuleFunction, preload, requireBuiltin } from "./builtins.ts";
import { showTime } from "./clock.ts";
import { sendCounters } from "./counters.ts";
import { describeComponent } from "./describe.ts";
import { leftRequest, pendingFetches, settleFetch } from "./fetch.ts";
import { installGlobals } from "./globals.ts";
import { connect, type Dispatch, log, send } from "./host.ts";
import { beginWork, endWork, tellLeft } from "./left-work.ts";
import { findAnswer } from "./options.ts";
import { enterOrigin, originText } from "./origin.ts";
import { type CallData, createSelf } from "./self.ts";
import { addRejection, announceRejections, removeRejection, tellRejections } from "./rejections.ts";
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
/** As they are before a module changes them. */
const OwnPromise = Promise;
const { then } = Promise.prototype;
let component: Component = {};
let named: { $exports: string[] } | undefined;
/** The call under way; 0 between calls. A promise of a former call of a warm sandbox may settle during a later one. */
let current = 0;
let calls = 0;

function end(call: number, said: () => object): void {
  if (call !== current) return;
  current = 0;
  endWork();
  send(hostOp.done, stringify(said()));
}
const finish = (call: number, result?: string): void => end(call, () => ({ result }));
const fail = (call: number, error: unknown): void =>
  end(call, () => ({ error: { ...describeThrown(error), origin: originText() } }));

/** Runs the module function and takes what it exports: ES default export or `module.exports` (R030). */
function evaluate(seed: Seed, define: ModuleFunction): void {
  const module: { exports: unknown } = { exports: {} };
  Math.random = seededRandom(...seed);
  const failed = (error: unknown): void => send(hostOp.described, stringify({ error: describeThrown(error) }));
  const succeeded = (): void => {
    const exported = module.exports as { default?: unknown } | null | undefined;
    named = namedAlone(exported);
    component = ((typeof exported === "object" && exported !== null && exported.default) || exported) as Component;
    send(hostOp.described, stringify({ ok: true }));
  };
  try {
    // A module with an await at its top level gives a promise.
    const pending: unknown = define(module, module.exports, requireBuiltin);
    if (pending instanceof OwnPromise) void then.call(pending, succeeded, failed);
    else succeeded();
  } catch (error) {
    failed(error);
  }
}

/** What a module exports that has no default export, and nothing that would make it a component all the same. */
function namedAlone(exported: unknown): { $exports: string[] } | undefined {
  const module = exported as Record<string, unknown> | null | undefined;
  if (typeof module !== "object" || module === null) return undefined;
  const names = Object.keys(module);
  // A file without any export is taken for CommonJS.
  if (module["__esModule"] !== true && names.length > 0) return undefined;
  return ["default", "run", "steps"].some((name) => name in module) ? undefined : { $exports: names };
}

function tellDescription(): void {
  try {
    send(hostOp.described, stringify({ json: describeComponent(named ?? component) }));
  } catch (error) {
    send(hostOp.described, stringify({ error: describeThrown(error) }));
  }
}

function call(data: CallData): void {
  const id = ++calls;
  current = id;
  beginWork();
  enterOrigin(undefined);
  Math.random = seededRandom(...data.seed);
  showTime(data.now);
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
    const entry = data.entry === "run" ? component.run : component.hooks?.[data.entry];
    const steps = data.workflow && Array.isArray((component as { steps?: unknown }).steps);
    const left = steps
      ? runWorkflow(component as object, data)
      : data.workflow && data.entry === "run"
        ? runAction(component, self, data)
        : undefined;
    // Whoever calls has seen it: without a word, what was to be done would be taken for done.
    if (!left && typeof entry !== "function") throw new TypeError(`${data.entry} is not a function of this component`);
    const result = left ?? entry?.call(self, data.event);
    Promise.resolve(result).then(
      (text) => (left ? finish(id, text as string) : finish(id)),
      (error: unknown) => fail(id, error),
    );
  } catch (error) {
    fail(id, error);
  }
}

const reportError = (error: unknown): void => {
  if (current !== 0) return error instanceof FlowExit ? finish(current) : fail(current, error);
  const thrown = describeThrown(error);
  log("error", thrown.stack, "[]");
};

/** The guest's only entry. Returned to the host, which keeps its handle. */
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
        tellDescription();
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
      case guestOp.left:
        tellLeft(parse(text) as Parameters<typeof tellLeft>[0], { timer: leftTimer, request: leftRequest });
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
        tellRejections();
        break;
      default:
    }
    return pendingFetches();
  };
}
