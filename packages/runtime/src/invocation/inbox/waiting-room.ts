import type { TriggerHead } from "../../model/model.ts";

/** Triggers whose source is paused, or a workflow that this process has not registered. */
export interface WaitingRoom {
  add(trigger: TriggerHead): void;
  /** All of a source, in the order in which they came; it has none afterwards. */
  take(sourceId: string): readonly TriggerHead[];
}

export function createWaitingRoom(): WaitingRoom {
  const bySource = new Map<string, TriggerHead[]>();
  return {
    add(trigger) {
      const waiting = bySource.get(trigger.sourceId);
      if (waiting) waiting.push(trigger);
      else bySource.set(trigger.sourceId, [trigger]);
    },
    take(sourceId) {
      const waiting = bySource.get(sourceId) ?? [];
      bySource.delete(sourceId);
      return waiting;
    },
  };
}
