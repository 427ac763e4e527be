import { hostOp } from "../sandbox/ops.ts";
import { send } from "./host.ts";

/** One thing that a run left behind (S37); the stack is that of the call that began it. */
export interface LeftWork {
  readonly kind: "timer" | "interval" | "request" | "emit" | "db" | "respond";
  readonly detail: string;
  readonly stack: string;
}

/** What is pending outside, by the numbers that the host has for it. */
interface Pending {
  readonly timers: readonly number[];
  readonly requests: readonly number[];
}

const mostTold = 20;
const { stringify } = JSON;

let isOver = false;
let late: LeftWork[] = [];

/** A call begins: what comes now belongs to it. */
export function beginWork(): void {
  isOver = false;
  late = [];
}

/** The call's entry has returned. */
export function endWork(): void {
  isOver = true;
}

/** Notes an effect that comes after the end. */
export function noteLate(kind: LeftWork["kind"], detail: string): void {
  if (isOver && late.length < mostTold) late.push({ kind, detail, stack: new Error().stack ?? "" });
}

/** Tells the host what is left; `find` says what a number stands for, undefined when nobody waits for it. */
export function tellLeft(
  { timers, requests }: Pending,
  find: { timer(id: number): LeftWork | undefined; request(id: number): LeftWork | undefined },
): void {
  const left: LeftWork[] = [];
  const add = (found: LeftWork | undefined): void => {
    if (found) left.push(found);
  };
  for (const id of requests) add(find.request(id));
  for (const id of timers) add(find.timer(id));
  for (const each of late) add(each);
  late = [];
  send(hostOp.left, stringify({ count: left.length, told: left.slice(0, mostTold) }));
}
