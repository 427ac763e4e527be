import { type ReadonlySignal, signal } from "@preact/signals";

import { request } from "../api/client.ts";
import { session } from "../api/session.ts";
import type { DataOf } from "../api/shapes.ts";

const current = signal<number | undefined>(undefined);

/** The time of a service with a manual clock, epoch ms; undefined for other services, and for other users than the first. */
export const manualTime: ReadonlySignal<number | undefined> = current;

/** Asks for the time of a manual clock, where there is one. */
export async function readManualClock(): Promise<void> {
  try {
    current.value = session.value?.manualClock
      ? (await request<DataOf<{ now_ms: number }>>("GET", "/clock")).data.now_ms
      : undefined;
  } catch {
    current.value = undefined;
  }
}

/** The answer of a move of the clock. */
interface Advanced {
  readonly now_ms: number;
  readonly steps: number;
  readonly coalesced: boolean;
}

/** Moves the clock; resolves when everything that became due has run. */
export async function advanceClock(ms: number): Promise<Advanced> {
  const { data } = await request<DataOf<Advanced>>("POST", "/clock/advance", { body: { ms } });
  current.value = data.now_ms;
  return data;
}
