import { type ReadonlySignal, signal } from "@preact/signals";

import { request } from "../api/client.ts";

const current = signal(false);

/** True for the first user, who manages the others. */
export const isFirstUser: ReadonlySignal<boolean> = current;

/** Asks the service: for other users the list of users does not exist. */
export async function readFirstUser(): Promise<void> {
  try {
    await request("GET", "/users", { query: { include: "id" } });
    current.value = true;
  } catch {
    current.value = false;
  }
}
