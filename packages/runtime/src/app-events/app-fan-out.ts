import { newSortableId, stepItems, type AppListener, type Trigger, type TriggerHead } from "@x/model";
import type { Change } from "@x/store";
import type { AppEvent } from "./app-event.ts";

/** An event with the sources that get it. */
export interface Addressed {
  readonly event: AppEvent;
  readonly listeners: readonly AppListener[];
}

/** The events that a source does not get because its inbox is full. */
export interface AppOverflow {
  readonly sourceId: string;
  readonly limit: string;
  readonly emitters: Set<string>;
  count: number;
}

export interface AppFanOutRules {
  readonly app: string;
  readonly now: number;
  /** The request proved who sent it. */
  readonly verified: boolean;
  readonly trace: string | undefined;
  /** Counts the triggers in the inboxes of sources, and limits them. */
  readonly backlog: {
    findExcess(trigger: Pick<TriggerHead, "sourceId" | "userId" | "bytes">): { readonly limit: string } | undefined;
    add(trigger: TriggerHead): void;
  };
  /** Yields the thread. */
  pause(): Promise<void>;
}

export interface AppFanOut {
  readonly changes: readonly Change[];
  readonly triggers: readonly TriggerHead[];
  readonly overflows: readonly AppOverflow[];
  /** Ids of the sources of each event, in the order of the events. */
  readonly sources: readonly (readonly string[])[];
}

/** A trigger for each source of each event, in the order of the events. The triggers of an event share one payload. */
export async function fanOutApp(addressed: readonly Addressed[], rules: AppFanOutRules): Promise<AppFanOut> {
  const { app, now, backlog, verified, trace } = rules;
  const changes: Change[] = [];
  const triggers: TriggerHead[] = [];
  const overflows = new Map<string, AppOverflow>();
  const sources: string[][] = [];
  for (const { event, listeners } of addressed) {
    const text = JSON.stringify(event.data);
    const wholeBytes = Buffer.byteLength(text);
    const bytes = Math.ceil(wholeBytes / Math.max(1, listeners.length));
    const emitId = newSortableId(now);
    const reached: string[] = [];
    const origin = {
      app: { app, names: event.names, ...(event.id !== undefined && { eventId: event.id }) },
      ...(verified && { verified: true as const }),
      ...(trace !== undefined && { trace }),
    };
    for (const [index, { sourceId, userId }] of listeners.entries()) {
      const excess = backlog.findExcess({ sourceId, userId, bytes });
      if (excess) {
        const known = overflows.get(sourceId);
        if (known) known.count += 1;
        else overflows.set(sourceId, { sourceId, limit: excess.limit, emitters: new Set([`app ${app}`]), count: 1 });
        continue;
      }
      const base = { id: newSortableId(now), sourceId, type: "APP", at: now, crashes: 0, hops: 0, origin } as const;
      const trigger: Trigger = { ...base, event: text };
      const head: TriggerHead = { ...base, userId, bytes, wholeBytes };
      backlog.add(head);
      triggers.push(head);
      changes.push({ op: "trigger.add", trigger, running: false, emitId });
      reached.push(sourceId);
      if (index % stepItems === stepItems - 1) await rules.pause();
    }
    sources.push(reached);
  }
  return { changes, triggers, overflows: [...overflows.values()], sources };
}
