import type { Source as ShownSource } from "../api/api.ts";
import type { ObserveHooks } from "../api/observe-api.ts";
import type { RuntimeOptions } from "../api/options.ts";
import { formatEventId, type LogFields, type Logger, type Source } from "@x/model";
import { shownEvent } from "../events/shown-events.ts";
import type { Counts, EndedCall, Observer } from "./contract.ts";
import type { RecentMinutes } from "./recent-minutes.ts";
import type { ThreadHolds } from "./thread-holds.ts";

export interface ObserverParts {
  readonly observe: RuntimeOptions["observe"];
  readonly counts: Counts;
  readonly recent: Pick<RecentMinutes, "call" | "run">;
  readonly logger: Logger;
  readonly holds: Pick<ThreadHolds, "begin">;
  shownSource(source: Source): ShownSource;
}

const endedFields = ({ source, entry, type, execution, dropped }: EndedCall): LogFields => ({
  source: source.id,
  execution: execution.executionId,
  entry,
  type,
  status: execution.status,
  duration_ms: execution.durationMs,
  compute_ms: execution.computeMs,
  emitted: execution.emitted.length,
  dropped: dropped.length,
});

const outcomeOf = { delivered: "delivered", pending: "retried", dead: "dead" } as const;

/**
 * Counts what happens and calls the embedder's hooks. Their exceptions are logged: an observer must not fail a run. Nothing
 * is computed for an absent hook.
 */
export function createObserver({ observe, counts, recent, logger, holds, shownSource }: ObserverParts): Observer {
  const { start, end, ask, commit, delivery, deploy }: ObserveHooks =
    typeof observe === "function" ? { end: observe } : (observe ?? {});

  function guard(sourceId: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      logger.error("observe threw", { source: sourceId, error: String(error) });
    }
  }

  return {
    started(call) {
      if (start) guard(call.source.id, () => start({ ...call, source: shownSource(call.source) }));
    },
    ended:
      end &&
      ((observed) =>
        guard(observed.source.id, () =>
          end({ ...observed, source: shownSource(observed.source), emitted: observed.emitted.map(shownEvent) }),
        )),
    asked: ask && ((asked) => guard(asked.componentId, () => ask(asked))),
    counted(ended) {
      counts.call(ended);
      recent.call(ended);
      logger.debug?.("a run ended", endedFields(ended));
    },
    committed(run) {
      counts.run(run);
      recent.run(run);
      const { executionId, source, queuedMs, sandboxMs, commitMs } = run;
      const durations = { queued_ms: queuedMs, sandbox_ms: sandboxMs, commit_ms: commitMs };
      logger.debug?.("a run was stored", { source: source.id, execution: executionId, ...durations });
      if (commit) guard(run.source.id, () => commit({ ...run, source: shownSource(run.source) }));
    },
    attempted({ delivery: { id, webhookId, emitterId, eventId, eventName, attempts }, webhook, attempt, status }) {
      counts.attempt(outcomeOf[status], attempt.durationMs);
      const number = attempts.length + 1;
      logger.debug?.("a delivery was attempted", {
        source: emitterId,
        webhook: webhookId,
        delivery: id,
        attempt: number,
        status,
        http_status: attempt.httpStatus,
        error: attempt.error ?? undefined,
        duration_ms: attempt.durationMs,
      });
      if (!delivery) return;
      const { userId } = webhook;
      const shown = { deliveryId: id, webhookId, userId, emitterId, eventId: formatEventId(eventId), eventName };
      guard(emitterId, () => delivery({ ...shown, number, attempt, status }));
    },
    changed(change, source) {
      counts.change(change);
      logger.debug?.("a source was changed", { source: source.id, change });
      if (deploy) guard(source.id, () => deploy({ change, source: shownSource(source) }));
    },
    working: holds.begin,
  };
}
