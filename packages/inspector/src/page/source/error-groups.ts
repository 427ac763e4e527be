import type { ErrorRecord, EventSummary } from "@x/client";

/** Errors that are alike, newest first. */
export interface ErrorGroup {
  readonly key: string;
  readonly newest: ErrorRecord;
  readonly records: readonly { readonly id: string; readonly at: number; readonly record: ErrorRecord }[];
}

const firstFrame = (stack: string): string => /^ +at .*$/m.exec(stack)?.[0].trim() ?? "";

/** What errors of one group share: name, place, and the message without its numbers and quoted parts. */
const groupKey = ({ error: { code, msg, stack } }: ErrorRecord): string =>
  `${code}|${msg.replaceAll(/\d+/g, "#").replaceAll(/"[^"]*"|'[^']*'/g, '"…"')}|${firstFrame(stack)}`;

/** Groups errors that are listed newest first; the group of the newest error comes first. */
export function groupErrors(events: readonly EventSummary[]): readonly ErrorGroup[] {
  const groups = new Map<string, { id: string; at: number; record: ErrorRecord }[]>();
  for (const { id, indexed_at_ms: at, event } of events) {
    const record = event as ErrorRecord | undefined;
    if (!record?.error) continue;
    const key = groupKey(record);
    const group = groups.get(key);
    if (group) group.push({ id, at, record });
    else groups.set(key, [{ id, at, record }]);
  }
  return [...groups].flatMap(([key, records]) => (records[0] ? [{ key, newest: records[0].record, records }] : []));
}
