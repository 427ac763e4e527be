import { hostOp } from "../ops.ts";
import { send } from "./host.ts";
import { describeThrown } from "./thrown.ts";
import { FlowExit } from "./services.ts";

/** Rejections between two reports; further ones are not reported. */
const freshLimit = 1_000;

const { stringify } = JSON;
// Stored before components can change them: the engine calls during its own work, where no code of components may run.
const { apply } = Reflect;
const { set, delete: remove } = Map.prototype;
const { get } = WeakMap.prototype;

/** Unhandled rejections since the last report: promises and reasons. */
const fresh = new Map<object, unknown>();
/** Numbers of the reported rejections. The host has their texts, so this keeps no promise alive. */
const reported = new WeakMap<object, number>();
let lastNumber = 0;

/** Adds a promise that was rejected without a handler. */
export function addRejection(promise: object, reason: unknown): void {
  if (fresh.size >= freshLimit) return;
  apply(set, fresh, [promise, reason]);
  announceRejections();
}

/** Removes a rejected promise that got a handler. */
export function removeRejection(promise: object): void {
  if (apply(remove, fresh, [promise])) return;
  const number = apply(get, reported, [promise]) as number | undefined;
  if (number !== undefined) send(hostOp.rejectionHandled, stringify(number));
}

/** Asks the host for a report when all jobs have run; includes rejections of the module's evaluation. */
export function announceRejections(): void {
  if (fresh.size > 0) send(hostOp.rejecting, "");
}

/** Reports the rejections that are still unhandled. */
export function reportRejections(): void {
  const found = [...fresh];
  fresh.clear();
  for (const [promise, reason] of found) {
    if (reason instanceof FlowExit) continue;
    reported.set(promise, ++lastNumber);
    send(hostOp.rejected, `${lastNumber}\n${stringify(describeThrown(reason).stack)}`);
  }
}
