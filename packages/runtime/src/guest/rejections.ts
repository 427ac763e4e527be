import { hostOp } from "../sandbox/ops.ts";
import { send } from "./host.ts";
import { describeThrown } from "./thrown.ts";
import { FlowExit } from "./services.ts";

/** What is rejected beyond that, before anybody looks, is not told. */
const mostFresh = 1_000;

const { stringify } = JSON;
// Kept as they are: the engine calls in the middle of its work, where no code of components may run.
const { apply } = Reflect;
const { set, delete: remove } = Map.prototype;
const { get } = WeakMap.prototype;

/** Rejected since the last look and handled by nobody: the promise and its reason. */
const fresh = new Map<object, unknown>();
/** The numbers under which the host has been told of rejections. It has their texts, so that nothing is kept alive here. */
const told = new WeakMap<object, number>();
let lastNumber = 0;

/** A promise was rejected that nobody handles yet. */
export function addRejection(promise: object, reason: unknown): void {
  if (fresh.size >= mostFresh) return;
  apply(set, fresh, [promise, reason]);
  announceRejections();
}

/** One of them is handled after all. */
export function removeRejection(promise: object): void {
  if (apply(remove, fresh, [promise])) return;
  const number = apply(get, told, [promise]) as number | undefined;
  if (number !== undefined) send(hostOp.rejectionHandled, stringify(number));
}

/** Lets the host ask when all jobs have run; also for what the evaluation of the module has left. */
export function announceRejections(): void {
  if (fresh.size > 0) send(hostOp.rejecting, "");
}

/** Tells the host of those that nobody has handled while jobs ran. */
export function tellRejections(): void {
  const found = [...fresh];
  fresh.clear();
  for (const [promise, reason] of found) {
    if (reason instanceof FlowExit) continue;
    told.set(promise, ++lastNumber);
    send(hostOp.rejected, `${lastNumber}\n${stringify(describeThrown(reason).stack)}`);
  }
}
