import { type ReadonlySignal, signal } from "@preact/signals";

import { messageOf } from "../api/client.ts";

/** A message that is shown for some seconds. */
export interface Notice {
  readonly id: number;
  readonly kind: "done" | "failed";
  readonly text: string;
}

const current = signal<readonly Notice[]>([]);
let last = 0;

export const notices: ReadonlySignal<readonly Notice[]> = current;

export function dismiss(id: number): void {
  current.value = current.value.filter((notice) => notice.id !== id);
}

const shownMs = { done: 4_000, failed: 10_000 };
const maxNotices = 4;

/** Shows what was done, or what went wrong. */
export function notify(kind: Notice["kind"], text: string): void {
  last += 1;
  const id = last;
  current.value = [...current.value, { id, kind, text }].slice(-maxNotices);
  setTimeout(() => dismiss(id), shownMs[kind]);
}

/** Does something, and shows `done` or the error. Resolves with whether it worked. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) notify("done", done);
    return true;
  } catch (error) {
    notify("failed", messageOf(error));
    return false;
  }
}
