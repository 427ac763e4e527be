import { hostOp } from "../ops.ts";
import { send } from "./host.ts";

/** Unfinished work of a run; `stack` is that of the call that started it. */
export interface LeftWork {
  readonly kind: "timer" | "interval" | "request" | "emit" | "db" | "data_store" | "respond";
  readonly detail: string;
  readonly stack: string;
}

/** Work that the host has not answered, by its ids. */
interface Pending {
  readonly timers: readonly number[];
  readonly requests: readonly number[];
}

const reportLimit = 20;
const { stringify } = JSON;

let isOver = false;
let late: LeftWork[] = [];

/** Starts a call: later effects belong to it. */
export function beginWork(): void {
  isOver = false;
  late = [];
}

/** Marks the return of the call's entry. */
export function endWork(): void {
  isOver = true;
}

/** Records an effect if the call's entry has returned. */
export function noteLate(kind: LeftWork["kind"], detail: string): void {
  if (isOver && late.length < reportLimit) late.push({ kind, detail, stack: new Error().stack ?? "" });
}

/** Reports unfinished work to the host; `find` describes a timer or request, undefined when nothing waits for it. */
export function reportLeft(
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
  send(hostOp.left, stringify({ count: left.length, items: left.slice(0, reportLimit) }));
}
