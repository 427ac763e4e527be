import type { Webhook } from "@x/client";

import type { Tone } from "../ui/status.tsx";

/** How a webhook does, by what happened to its deliveries. */
export type Condition = "paused" | "failing" | "dead" | "delivering" | "unused";

type Observed = Pick<Webhook, "active" | "state">;

export function conditionOf({ active, state }: Observed): Condition {
  if (!active) return "paused";
  if (!state?.last_attempt) return "unused";
  if (state.last_attempt.error !== null) return "failing";
  return state.dead > 0 ? "dead" : "delivering";
}

export const conditions: Readonly<Record<Condition, { readonly label: string; readonly tone: Tone }>> = {
  paused: { label: "Paused", tone: "none" },
  failing: { label: "Failing", tone: "bad" },
  dead: { label: "Dead letters", tone: "warn" },
  delivering: { label: "Delivering", tone: "ok" },
  unused: { label: "Nothing sent yet", tone: "none" },
};

/** Which webhooks are listed. */
export const webhookFilters = [
  { value: "", label: "All" },
  { value: "failing", label: "Failing" },
  { value: "dead", label: "Dead letters" },
  { value: "pending", label: "Pending" },
  { value: "paused", label: "Paused" },
] as const;

/** The share of deliveries that succeeded, such as `98 % of 120`; undefined without any. */
export function shareOf({
  delivered,
  failed,
}: {
  readonly delivered: number;
  readonly failed: number;
}): string | undefined {
  const all = delivered + failed;
  if (all === 0) return undefined;
  // 99.96 % is not everything.
  const share = Math.floor((1_000 * delivered) / all) / 10;
  return `${share} % of ${all}`;
}
