import type { Logger, LogFields } from "@x/runtime";

import { inLine, jsonText } from "./visible.ts";

type Level = "debug" | "info" | "warn" | "error";

/** From the most to the least; records below the level of a logger are left out. */
export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];
export type LogLevel = Level | "silent";

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined"));

function plainLine(level: Level, message: string, fields: LogFields): string {
  const time = new Date().toTimeString().slice(0, 8);
  const pairs = Object.entries(fields).map(([name, value]) => `  ${name}: ${asText(value)}`);
  return inLine(`${time} ${level === "info" ? "" : `${level}: `}${message}${pairs.join("")}`);
}

const jsonLine = (level: Level, message: string, fields: LogFields): string =>
  jsonText({ ...fields, time: new Date().toISOString(), level, message });

/** At most so many bytes are buffered: the log may be a pipe that nothing reads. */
const maxBufferedBytes = 1024 * 1024;

/**
 * Writes records from `least` on to standard error: text, or one JSON object per line. Lines are dropped while the buffer is full; the next line
 * that fits is preceded by their number.
 */
export function createLogger(json: boolean, least: LogLevel = "info"): Logger {
  const line = json ? jsonLine : plainLine;
  let dropped = 0;
  const write =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void => {
      if (process.stderr.writableLength > maxBufferedBytes) {
        dropped += 1;
        return;
      }
      if (dropped > 0)
        process.stderr.write(`${line("warn", "lines were dropped: the log is not read fast enough", { dropped })}\n`);
      dropped = 0;
      process.stderr.write(`${line(level, message, fields)}\n`);
    };
  const isLogged = (level: Level): boolean => logLevels.indexOf(level) >= logLevels.indexOf(least);
  const from = (level: Level): ReturnType<typeof write> => (isLogged(level) ? write(level) : () => undefined);
  // Without the method, nothing is computed for its records.
  return {
    ...(isLogged("debug") && { debug: write("debug") }),
    info: from("info"),
    warn: from("warn"),
    error: from("error"),
  };
}
