import type { Component, Source, TimerValue } from "./model.ts";

const isTimer = (value: unknown): value is TimerValue =>
  typeof value === "object" && value !== null && "interval_seconds" in value;

/** Finds the configured schedule of a source's timer prop. */
export function timerOf(source: Source, component: Component): TimerValue | undefined {
  const prop = component.shape.props.find(({ type }) => type === "$.interface.timer");
  const value = prop && source.configuredProps[prop.name];
  return isTimer(value) ? value : undefined;
}
