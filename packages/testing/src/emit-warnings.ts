import { createEventCheck, type EventCheck, type EventSchema } from "@x/runtime";

import type { LogLine, Run } from "./records.ts";

/** The check of events by the schema that a component declares; undefined when it declares none. */
export function declaredCheck(emits: EventSchema | undefined): EventCheck | undefined {
  return emits?.from === "emits" ? createEventCheck(emits.schema) : undefined;
}

/** Warnings about the emits of a run that the check refuses, one for each thing that does not fit. */
export function emitWarnings({ emits, entry, at }: Run, check: EventCheck): LogLine[] {
  const problems = new Set(emits.flatMap(({ event }) => check(event) ?? []));
  return [...problems].map((problem) => ({
    level: "warn",
    message: `$emit: an event does not fit the emits of the component: ${problem}`,
    data: [],
    entry,
    at,
  }));
}
