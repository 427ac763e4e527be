import type { Logger } from "@x/runtime";

import { safeText } from "./terminal-text.ts";

type Level = keyof Logger;

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined"));

function plainLine(level: Level, message: string, fields: Record<string, unknown>): string {
  const time = new Date().toTimeString().slice(0, 8);
  const pairs = Object.entries(fields).map(([name, value]) => `  ${name}: ${asText(value)}`);
  return safeText(`${time} ${level === "info" ? "" : `${level}: `}${message}${pairs.join("")}`);
}

const jsonLine = (level: Level, message: string, fields: Record<string, unknown>): string =>
  JSON.stringify({ ...fields, time: new Date().toISOString(), level, message });

/** Writes to standard error: lines to read, or one JSON object per line. */
export function createLogger(json: boolean): Logger {
  const write =
    (level: Level) =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      process.stderr.write(`${(json ? jsonLine : plainLine)(level, message, fields)}\n`);
    };
  return { info: write("info"), warn: write("warn"), error: write("error") };
}
