import { matchesBothDays, nextCron } from "./cron.ts";
import { pointer } from "./json-pointer.ts";
import type { Component, ComponentWarning, Json, PropShape } from "./model.ts";

const shownTicks = 3;

function ticksAfter(now: number, { cron, timezone }: { cron: string; timezone?: string }): readonly number[] {
  const ticks: number[] = [];
  let at = nextCron(cron, timezone, now);
  for (; at !== undefined && ticks.length < shownTicks; at = nextCron(cron, timezone, at)) ticks.push(at);
  return ticks;
}

/** An instant as clocks in the zone show it, such as `2027-08-13 09:00`. */
const shownTime = (at: number, timeZone: string): string =>
  new Date(at).toLocaleString("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });

/** The schedule of a timer prop: what the author fixed, what is configured, or the default. */
function scheduleOf(prop: PropShape, configured: Json | undefined): { cron: string; timezone?: string } | undefined {
  if (prop.type !== "$.interface.timer") return undefined;
  const value = prop.static ?? configured ?? prop.default;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { cron, timezone } = value;
  return typeof cron === "string" ? { cron, ...(typeof timezone === "string" && { timezone }) } : undefined;
}

/** Warns of timers that need the day of month and the day of week to match, which many expect to be alternatives. */
export function scheduleWarnings(
  props: readonly PropShape[],
  configured: { readonly [prop: string]: Json },
  now: number,
): ComponentWarning[] {
  return props.flatMap((prop) => {
    const schedule = scheduleOf(prop, configured[prop.name]);
    if (!schedule || !matchesBothDays(schedule.cron)) return [];
    const { cron, timezone: zone = "UTC" } = schedule;
    const ticks = ticksAfter(now, schedule).map((at) => shownTime(at, zone));
    const message = `"${cron}" ticks only on days that match both its day of month and its day of week, next ${ticks.join(", ")} (${zone}): leave one of them *`;
    return [
      {
        rule: "cron-day-and-weekday",
        path: pointer("props", prop.name, prop.static ? "static" : "default", "cron"),
        message,
      },
    ];
  });
}

/** The component with these warnings besides its own. */
export function withWarnings<Given extends Pick<Component, "shape">>(
  component: Given,
  found: readonly ComponentWarning[],
): Given {
  const { shape } = component;
  if (found.length === 0) return component;
  return { ...component, shape: { ...shape, warnings: [...(shape.warnings ?? []), ...found] } };
}

/** The component with the warnings of its schedule, which name the ticks after `now`, epoch ms. */
export function withScheduleWarnings<Given extends Pick<Component, "shape">>(
  component: Given,
  configured: { readonly [prop: string]: Json },
  now: number,
): Given {
  return withWarnings(component, scheduleWarnings(component.shape.props, configured, now));
}
