import { deserialize } from "node:v8";

import { systemClock, type TriggerHead } from "@x/model";
import type { Store } from "@x/store";
import type { Telling } from "./shared-connections.ts";

/** A trigger that one node has stored for another one. */
export type SentTrigger = Pick<TriggerHead, "id" | "sourceId">;

export interface SharedIdleParts extends Telling {
  readonly trigger: Store["trigger"];
  /** Resolves when nothing runs on this node; true when it had to wait for that. */
  idle(): Promise<boolean>;
  /** The triggers that this node has stored for others since the last call. */
  takeSent(): readonly SentTrigger[];
  isHeld(sourceId: string): boolean;
  /** True for a trigger that waits or runs on this node. */
  has(trigger: SentTrigger): boolean;
}

/** What a node did before it was idle. */
interface Round {
  readonly waited: boolean;
  readonly sent: readonly SentTrigger[];
}

const lookMs = 10;

const pause = (): Promise<void> =>
  new Promise((resolve) => void systemClock.wakeAt(systemClock.now() + lookMs, resolve));

/** Returns the function that resolves when nothing runs on any node, and no trigger is on its way from one to another. */
export function createSharedIdle(parts: SharedIdleParts): () => Promise<void> {
  const kind = "idle";

  /** Waits for triggers that other nodes have stored for this one. */
  async function arrived(trigger: SentTrigger): Promise<void> {
    while (parts.isHeld(trigger.sourceId) && !parts.has(trigger) && (await parts.trigger(trigger.id))) await pause();
  }

  async function round(sent: readonly SentTrigger[]): Promise<Round> {
    await Promise.all(sent.map(arrived));
    const waited = await parts.idle();
    return { waited, sent: parts.takeSent() };
  }

  parts.onTold(kind, (body) => round(deserialize(body) as readonly SentTrigger[]));

  return async () => {
    for (let sent: readonly SentTrigger[] = []; ;) {
      const own = await round(sent);
      const rounds = [own, ...((await parts.tell(kind, [...sent, ...own.sent])) as readonly Round[])];
      sent = rounds.flatMap((each) => each.sent);
      if (sent.length === 0 && rounds.every(({ waited }) => !waited)) return;
    }
  };
}
