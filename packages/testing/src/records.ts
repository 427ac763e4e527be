import type { DedupeReason, ExecutionStatus, HookName, Json } from "@x/runtime";

import type { Call } from "./traffic/calls.ts";

/** What the component can be called for. */
export type EntryName = "run" | HookName;

/** Fields that emitted and dropped events share. */
interface EmitFields<Event> {
  /** What was given to `$emit`. */
  readonly event: Event;
  /** The id for dedupe, as text. */
  readonly id?: string;
  readonly summary?: string;
  /** The `ts` that was given, epoch ms. */
  readonly ts?: number;
  /** Empty for the default stream. */
  readonly channel: string;
  readonly entry: EntryName;
  /** Epoch ms on the harness's clock. */
  readonly at: number;
}

/** `Event` is what the component emits, where its type is known. */
export interface Emit<Event = Json> extends EmitFields<Event> {
  /** `<ms>-<seq>`. */
  readonly eventId: string;
}

export interface Dropped<Event = Json> extends EmitFields<Event> {
  readonly reason: DedupeReason;
  /** The reason as a sentence. */
  readonly because: string;
}

export interface ErrorRecord {
  /** `component_threw`, `sandbox_timeout`, `sandbox_out_of_memory`, `no_response`, … */
  readonly code: string;
  readonly name: string;
  readonly message: string;
  /** In the component's own files. */
  readonly stack: string;
  /** What may help. */
  readonly hint?: string;
  readonly entry: EntryName;
  readonly at: number;
}

export interface LogLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly message: string;
  readonly data: readonly Json[];
  readonly entry: EntryName;
  readonly at: number;
}

/** One call of `run` or of a hook, with all it did. */
export interface Run<Event = Json> {
  readonly entry: EntryName;
  readonly source: "timer" | "http" | "manual" | "subscription" | "hook";
  /** What it was given; null for hooks. */
  readonly event: Json;
  readonly at: number;
  readonly status: ExecutionStatus;
  readonly emits: readonly Emit<Event>[];
  readonly deduped: readonly Dropped<Event>[];
  readonly logs: readonly LogLine[];
  readonly error: ErrorRecord | undefined;
  /** What it wrote; undefined was deleted. */
  readonly db: { readonly [key: string]: Json | undefined };
  readonly calls: readonly Call[];
  /** What an action returned (`$return_value`) and exported, or each step of a workflow by its name; undefined otherwise. */
  readonly exports: Json | undefined;
  /** Steps of a workflow that began, in their order; the last of a run that failed is the one that threw. */
  readonly steps: readonly string[];
}
