import type { Delivery, Source } from "@x/client";
/** Something that happens when the clock gets there. */
export interface Due {
  /** Epoch ms. */
  readonly at: number;
  readonly kind: "tick" | "delivery";
  /** The source or the webhook. */
  readonly id: string;
  readonly name: string;
  /** How many times up to the end. */
  readonly times: number;
}

export type TimedSource = Pick<Source, "id" | "name"> &
  Partial<Pick<Source, "configured_props">> & {
    readonly state?: Pick<NonNullable<Source["state"]>, "next_tick_at_ms">;
  };
export type PendingDelivery = Pick<Delivery, "webhook_id" | "next_attempt_at">;

/** The interval of the timer of a source in ms; undefined for schedules by cron. */
function intervalOf({ configured_props: props = {} }: TimedSource): number | undefined {
  for (const value of Object.values(props)) {
    if (typeof value !== "object" || value === null) continue;
    const { cron, interval_seconds: seconds } = value as { cron?: unknown; interval_seconds?: unknown };
    if (typeof seconds === "number" && seconds > 0 && (cron === null || cron === undefined)) return seconds * 1_000;
  }
  return undefined;
}

/** What becomes due up to and including `end`, the first first. */
export function dueUntil(
  end: number,
  sources: readonly TimedSource[],
  deliveries: readonly PendingDelivery[],
  nameOf: (webhookId: string) => string,
): Due[] {
  const ticks = sources.flatMap((source): Due[] => {
    const at = source.state?.next_tick_at_ms ?? Infinity;
    if (at > end) return [];
    const interval = intervalOf(source);
    const times = interval === undefined ? 1 : 1 + Math.floor((end - at) / interval);
    return [{ at, kind: "tick", id: source.id, name: source.name, times }];
  });
  const attempts = deliveries.flatMap(({ webhook_id: id, next_attempt_at: seconds }): Due[] =>
    seconds === null || seconds * 1_000 > end
      ? []
      : [{ at: seconds * 1_000, kind: "delivery", id, name: nameOf(id), times: 1 }],
  );
  return [...ticks, ...attempts].sort((a, b) => a.at - b.at);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A text such as `90s` or `1h 30m` in ms; undefined when it is none. */
export function parseSpan(text: string): number | undefined {
  if (!/^\s*(?:\d+(?:\.\d+)?\s*(?:ms|[smhd])\s*)+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[smhd])/g);
  const sum = [...parts].reduce((total, [, amount, unit = ""]) => total + Number(amount) * (units[unit] ?? 0), 0);
  return Math.round(sum);
}
