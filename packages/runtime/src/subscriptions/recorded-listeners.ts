import { formatEventId, type EmitListener, type ExecutionRecord, type RecordedEmit, type StoredEvent } from "@x/model";
import type { Change } from "@x/store";
import type { Candidate, NoteListener } from "./fan-out.ts";

/** Writes the listeners of events into the executions of the same commit. */
export interface RecordedListeners {
  /** The events with their executions. */
  linked(candidates: readonly Candidate[]): readonly Candidate[];
  /** Absent when the commit stores no execution. Undefined for events that no execution records. */
  readonly notesOf: ((event: StoredEvent) => NoteListener | undefined) | undefined;
  /** The changes, in which the executions have their listeners. */
  completed(changes: readonly Change[]): readonly Change[];
}

const maxOfEmit = 20;
const maxOfCommit = 500;

interface EventListeners {
  readonly listeners: EmitListener[];
  omitted: number;
}

const keyOf = ({ emitterId, id }: Pick<StoredEvent, "emitterId" | "id">): string => `${emitterId} ${formatEventId(id)}`;

export function createRecordedListeners(changes: readonly Change[]): RecordedListeners {
  const executions = changes.flatMap((change) => (change.op === "execution.add" ? [change.execution] : []));
  const [first, second] = executions;
  if (!first) return { linked: (candidates) => candidates, notesOf: undefined, completed: (given) => given };
  const listenersByEmit = new Map<string, EventListeners>();
  const byEvent = new Map<string, string>();
  let room = maxOfCommit;
  for (const { summary, detail } of executions)
    for (const emit of detail.emitted) {
      const key = `${summary.sourceId} ${emit.id}`;
      byEvent.set(key, summary.id);
      listenersByEmit.set(key, { listeners: [], omitted: 0 });
    }

  /** In the commit of a run all events are its own. */
  const executionOf = (event: StoredEvent): string | undefined =>
    second ? (event.stream === "emits" ? byEvent.get(keyOf(event)) : undefined) : first.summary.id;

  const complete = (emit: RecordedEmit, sourceId: string): RecordedEmit => {
    const found = listenersByEmit.get(`${sourceId} ${emit.id}`);
    if (!found || found.listeners.length + found.omitted === 0) return emit;
    const { listeners, omitted } = found;
    return { ...emit, listeners, ...(omitted > 0 && { listenersOmitted: omitted }) };
  };
  const completeExecution = (execution: ExecutionRecord): ExecutionRecord => ({
    ...execution,
    detail: {
      ...execution.detail,
      emitted: execution.detail.emitted.map((emit) => complete(emit, execution.summary.sourceId)),
    },
  });

  return {
    linked: (candidates) =>
      candidates.map((candidate) => ({ ...candidate, executionId: executionOf(candidate.event) })),
    notesOf(event) {
      const found = event.stream === "emits" ? listenersByEmit.get(keyOf(event)) : undefined;
      if (!found) return undefined;
      return (listener) => {
        if (found.listeners.length < maxOfEmit && room > 0) {
          found.listeners.push(listener);
          room -= 1;
        } else found.omitted += 1;
      };
    },
    completed: (given) =>
      given.map((change) =>
        change.op === "execution.add" ? { ...change, execution: completeExecution(change.execution) } : change,
      ),
  };
}
