import type { DeliveryOutcome } from "../api/observe-api.ts";
import {
  createBuckets,
  durationBounds,
  type DedupeReason,
  type ExecutionStatus,
  type SourceType,
  type TransitionKind,
} from "@x/model";
import type { Counts } from "./contract.ts";

const outcomes = (): { [outcome in ExecutionStatus]: number } => ({ ok: 0, error: 0, timeout: 0, out_of_memory: 0 });

/** Counts in plain numbers: some additions for each run, and a copy for each reader. */
export function createCounts(): Counts {
  const invocations: { [type in SourceType]: { [outcome in ExecutionStatus]: number } } = {
    TIMER: outcomes(),
    HTTP: outcomes(),
    SUBSCRIPTION: outcomes(),
    MANUAL: outcomes(),
    HOOK: outcomes(),
    APP: outcomes(),
  };
  const dropped: { [reason in DedupeReason]: number } = {
    duplicate: 0,
    repeated_in_run: 0,
    not_greater: 0,
    not_after_last: 0,
    invalid_id: 0,
  };
  const changes: { [change in TransitionKind]: number } = { create: 0, update: 0, pause: 0, resume: 0, delete: 0 };
  const attempts: { [outcome in DeliveryOutcome]: number } = { delivered: 0, retried: 0, dead: 0 };
  const queued = createBuckets(durationBounds);
  const sandbox = createBuckets(durationBounds);
  const commit = createBuckets(durationBounds);
  const attemptMs = createBuckets(durationBounds);
  let computeMs = 0;
  let emitted = 0;

  return {
    call({ type, execution, dropped: drops }) {
      const { status } = execution;
      if (status !== "queued") invocations[type][status] += 1;
      computeMs += execution.computeMs;
      emitted += execution.emitted.length;
      for (const { reason } of drops) dropped[reason] += 1;
    },
    run({ queuedMs, sandboxMs, commitMs }) {
      queued.add(queuedMs);
      sandbox.add(sandboxMs);
      commit.add(commitMs);
    },
    attempt(outcome, durationMs) {
      attempts[outcome] += 1;
      attemptMs.add(durationMs);
    },
    change(change) {
      changes[change] += 1;
    },
    read: () => ({
      invocations: structuredClone(invocations),
      phases: { queued: queued.read(), sandbox: sandbox.read(), commit: commit.read() },
      computeMs,
      emitted,
      dropped: { ...dropped },
      changes: { ...changes },
      deliveries: { attempts: { ...attempts }, attemptMs: attemptMs.read() },
    }),
  };
}
