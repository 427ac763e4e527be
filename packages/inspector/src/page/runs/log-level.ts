import type { LogRecord } from "@x/client";

/** The word for the level of a log record, such as `warn`. */
export const levelOf = ({ k, err }: LogRecord): string => (err ? "error" : k.startsWith("console.") ? k.slice(8) : k);

/** The text of a log record. */
export const logText = ({ msg, err }: LogRecord): string => (err ? `${err.name}: ${err.message}` : (msg ?? ""));

/** Values that the text does not show already. */
export const logValues = ({ data = [] }: LogRecord): readonly unknown[] =>
  data.filter((value) => typeof value === "object" && value !== null);
