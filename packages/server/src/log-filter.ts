import type { LogRecord } from "@x/client";
import type { StoredEvent } from "@x/runtime";

import type { ParameterOf } from "./schema.ts";

const levels = ["debug", "info", "warn", "error"] as const;
type LogLevel = (typeof levels)[number];

/** What a record of another kind has is information. */
const levelsByKind: Readonly<Record<string, LogLevel>> = {
  "console.debug": "debug",
  "console.warn": "warn",
  "console.error": "error",
  err: "error",
};

/** Common to the list and the stream of the logs of all sources. */
export const logParameters: {
  readonly source_id: ParameterOf<"string">;
  readonly level: ParameterOf<"string"> & { readonly enum: readonly ("" | LogLevel)[] };
  readonly q: ParameterOf<"string">;
} = {
  source_id: { type: "string", maxLength: 256, description: "the id of a source or workflow; default: all" },
  level: {
    type: "string",
    enum: ["", ...levels],
    description: '"debug", "info", "warn" or "error": only records of this level or a higher one',
    shownAs: { type: "string", enum: levels },
  },
  q: {
    type: "string",
    maxLength: 1_000,
    description: "words that a record has in its text, its error or its execution id, in any case",
  },
};

export interface LogQuery {
  readonly source_id?: string;
  readonly level?: "" | LogLevel;
  readonly q?: string;
}

const textOf = ({ msg, err, context }: LogRecord): string =>
  [msg, err?.name, err?.message, err?.stack, err?.hint, context].join("\n").toLowerCase();

/** True for the log records that the query wants; undefined when it wants all. */
export function parseLogTest({ level, q = "" }: LogQuery): ((event: StoredEvent) => boolean) | undefined {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const least = levels.indexOf(level || "debug");
  if (least === 0 && words.length === 0) return undefined;
  return ({ payload }) => {
    const log = JSON.parse(payload) as LogRecord;
    if (levels.indexOf(levelsByKind[log.k] ?? "info") < least) return false;
    const text = words.length === 0 ? "" : textOf(log);
    // An id has letters and digits of its own, so a part of one means nothing.
    return words.every((word) => text.includes(word) || word === log.execution_id.toLowerCase());
  };
}
