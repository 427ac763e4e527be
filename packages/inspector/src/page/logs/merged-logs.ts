import type { LogSummary } from "@x/client";

/** Events of different sources may have the same id. */
export const logKey = ({ id, metadata }: LogSummary): string => `${metadata.emitter_id} ${id}`;

const most = 5_000;

const order = ({ id }: LogSummary): readonly number[] => id.split("-").map(Number);

function compare(a: LogSummary, b: LogSummary): number {
  const [[aMs = 0, aSeq = 0], [bMs = 0, bSeq = 0]] = [order(a), order(b)];
  return bMs - aMs || bSeq - aSeq;
}

/** Records with new ones, newest first, each once; the oldest are left out when they are too many. */
export function mergedLogs(known: readonly LogSummary[], given: readonly LogSummary[]): readonly LogSummary[] {
  const keys = new Set(known.map(logKey));
  const fresh = given.filter((log) => !keys.has(logKey(log)));
  return fresh.length === 0 ? known : [...fresh, ...known].sort(compare).slice(0, most);
}
