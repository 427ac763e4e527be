import type { DedupeReason, ExecutionStatus, HookName, Json } from "@x/runtime";

import type { Call } from "./traffic/calls.ts";

/** The function of the component that was called: `run` or a hook. */
export type EntryName = "run" | HookName;

/** Fields of emitted and dropped events. */
interface EmitFields<Event> {
  /** The first argument of `$emit`. */
  readonly event: Event;
  /** The id for dedupe as text. */
  readonly id?: string;
  readonly summary?: string;
  /** The `ts` of the metadata, epoch ms. */
  readonly ts?: number;
  /** Empty for the default stream. */
  readonly channel: string;
  readonly entry: EntryName;
  /** Epoch ms on the test's clock. */
  readonly at: number;
}

/** An emitted event. `Event` is its type, if known. */
export interface Emit<Event = Json> extends EmitFields<Event> {
  /** `<ms>-<seq>`. */
  readonly eventId: string;
}

/** An event that dedupe dropped. */
export interface Dropped<Event = Json> extends EmitFields<Event> {
  readonly reason: DedupeReason;
  /** The reason as a sentence. */
  readonly because: string;
}

/** An error that the component threw, or a limit that stopped it. */
export interface ErrorRecord {
  /** `component_threw`, `sandbox_timeout`, `sandbox_out_of_memory`, `no_response`, … */
  readonly code: string;
  readonly name: string;
  readonly message: string;
  /** Frames of the component's own files. */
  readonly stack: string;
  /** Advice. */
  readonly hint?: string;
  readonly entry: EntryName;
  /** Epoch ms on the test's clock. */
  readonly at: number;
}

/** A console call of the component, or a warning of the runtime. */
export interface LogLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly message: string;
  readonly data: readonly Json[];
  readonly entry: EntryName;
  readonly at: number;
}

/** What a run answered to its request. */
export interface RunResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The value of JSON, else the text; undefined for an empty body. */
  readonly body: unknown;
}

/** One call of `run` or of a hook, with its effects. */
export interface Run<Event = Json> {
  readonly entry: EntryName;
  readonly source: "timer" | "http" | "manual" | "subscription" | "hook";
  /** The argument of `run`; null for hooks. */
  readonly event: Json;
  readonly at: number;
  readonly status: ExecutionStatus;
  readonly emits: readonly Emit<Event>[];
  readonly deduped: readonly Dropped<Event>[];
  readonly logs: readonly LogLine[];
  readonly error: ErrorRecord | undefined;
  /** The db keys that it wrote; undefined for a deleted key. */
  readonly db: { readonly [key: string]: Json | undefined };
  /** The keys that it wrote to data stores, by the name of the data store. */
  readonly dataStores: { readonly [name: string]: Run["db"] };
  readonly calls: readonly Call[];
  /** What it answered through `respond`; absent for none. */
  readonly response?: RunResponse;
  /** An action's return value (`$return_value`) and exports, or those of each step of a workflow by name; else undefined. */
  readonly exports: Json | undefined;
  /** Steps of a workflow that began, in order. In a failed run the last one threw. */
  readonly steps: readonly string[];
}
