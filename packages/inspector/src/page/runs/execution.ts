import type { ExecutionDetail, ExecutionSummary } from "@x/client";

export type EmitListener = RunEmit["listeners"][number];
export type RunEmit = ExecutionDetail["emitted"][number];
export type RunDrop = ExecutionDetail["dropped"][number];
export type RunCall = ExecutionDetail["calls"][number];
export type RunDbChange = ExecutionDetail["db"][number];

const statusLabels: Readonly<Record<string, string>> = {
  ok: "OK",
  error: "Failed",
  timeout: "Timed out",
  out_of_memory: "Out of memory",
};

/** A status in words. */
export const statusLabel = (status: string): string => statusLabels[status] ?? status;

const triggerLabels: Readonly<Record<string, string>> = {
  timer: "Timer",
  http: "Request",
  event: "Event",
  app: "App event",
  manual: "By hand",
  hook: "Hook",
};

/** What made a run start. */
export const triggerLabel = ({ trigger, entry, replay_of }: ExecutionSummary | ExecutionDetail): string => {
  const label = entry === "run" ? (triggerLabels[trigger] ?? trigger) : `Hook ${entry}`;
  return replay_of === null ? label : `${label}, replayed`;
};
