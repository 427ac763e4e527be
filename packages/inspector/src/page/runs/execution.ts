import type { ExecutionSummary } from "../api/shapes.ts";
import type { ReceivedRequest } from "./request-text.ts";

/** A source, workflow or webhook that an event goes to. */
export interface EmitListener {
  readonly id: string;
  readonly kind: "source" | "workflow" | "webhook";
  readonly delivery_id?: string;
  readonly execution_id?: string;
  readonly skipped?: string;
}

interface Payload {
  readonly payload: unknown;
  readonly payload_bytes: number;
  readonly truncated?: true;
}

/** An event that a run emitted. */
export interface RunEmit extends Payload {
  readonly id: string;
  readonly name: string;
  readonly summary?: string;
  readonly dedupe_id?: string;
  readonly ts?: number;
  readonly listeners: readonly EmitListener[];
  readonly listeners_omitted?: number;
}

/** An event that was not stored. */
export interface RunDrop extends Payload {
  readonly name: string;
  readonly summary?: string;
  readonly dedupe_id?: string;
  readonly reason: string;
  readonly remembered?: string;
}

/** A request of a component. Times are milliseconds after the start of the run. */
export interface RunCall {
  readonly method: string;
  readonly url: string;
  readonly status: number | null;
  readonly error?: string;
  readonly started_ms: number;
  readonly duration_ms: number | null;
  readonly request_bytes: number;
  readonly response_bytes: number | null;
  readonly request_headers: Readonly<Record<string, unknown>>;
  readonly response_headers: Readonly<Record<string, unknown>>;
  readonly request_body?: string;
  readonly request_body_base64?: string;
  readonly request_body_truncated?: true;
  readonly response_body?: string;
  readonly response_body_base64?: string;
  readonly response_body_truncated?: true;
}

/** A change of the db; an absent value is an absent key. */
export interface RunDbChange {
  readonly key: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly truncated?: true;
}

export interface RunLog {
  readonly k: string;
  readonly ts: number;
  readonly msg?: string;
  readonly data?: readonly unknown[];
  readonly err?: { readonly name: string; readonly message: string; readonly stack: string };
}

/** A run with its phases. */
export interface RunSummary extends ExecutionSummary {
  readonly cause: {
    readonly source_id: string;
    readonly event_id: string | null;
    readonly execution_id?: string;
  } | null;
  readonly phases: { readonly queued_ms: number; readonly sandbox_ms: number; readonly commit_ms: number | null };
  readonly undone?: true;
}

type Omitted = {
  readonly [List in "emitted" | "dropped" | "logs" | "steps" | "calls" | "db" as `${List}_omitted`]?: number;
};

/** A run with everything that it received and did. */
export interface RunDetail extends Omit<RunSummary, "error">, Omitted {
  readonly event: unknown;
  readonly event_bytes: number;
  readonly event_truncated?: true;
  readonly event_masked?: true;
  readonly request?: ReceivedRequest;
  readonly emitted: readonly RunEmit[];
  readonly dropped: readonly RunDrop[];
  readonly logs: readonly RunLog[];
  readonly steps: readonly { readonly name: string; readonly started_ms: number }[];
  readonly calls: readonly RunCall[];
  readonly db: readonly RunDbChange[];
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body?: string;
    readonly body_base64?: string;
    readonly body_truncated?: true;
    readonly body_bytes: number;
  } | null;
  readonly exports?: unknown;
  readonly error: {
    readonly name: string;
    readonly message: string;
    readonly stack: string;
    readonly code?: string;
    readonly hint?: string;
    readonly frame?: string;
  } | null;
}

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
  manual: "By hand",
  hook: "Hook",
};

/** What made a run start. */
export const triggerLabel = ({ trigger, entry, replay_of }: RunSummary | RunDetail): string => {
  const label = entry === "run" ? (triggerLabels[trigger] ?? trigger) : `Hook ${entry}`;
  return replay_of === null ? label : `${label}, replayed`;
};
