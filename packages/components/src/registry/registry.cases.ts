import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Logger } from "../../../model/src/logger.ts";

/** A message of the log and its fields. */
export type LogLine = readonly [message: string, fields: Readonly<Record<string, unknown>>];

/** A log whose lines a test can wait for. */
export interface RecordedLog extends Logger {
  readonly lines: readonly LogLine[];
  /** Resolves with the first line, from `from` on, that has this message and these fields. */
  waitFor(message: string, fields?: Readonly<Record<string, unknown>>, from?: number): Promise<LogLine>;
}

export function recordLog(): RecordedLog {
  const lines: LogLine[] = [];
  let next = Promise.withResolvers<void>();
  const log = (message: string, fields: Record<string, unknown> = {}): void => {
    lines.push([message, fields]);
    next.resolve();
    next = Promise.withResolvers();
  };
  return {
    lines,
    info: log,
    warn: log,
    error: log,
    async waitFor(message, wanted = {}, from = 0) {
      for (;;) {
        const found = lines
          .slice(from)
          .find(
            ([text, fields]) =>
              text === message && Object.entries(wanted).every(([name, value]) => fields[name] === value),
          );
        if (found) return found;
        await next.promise;
      }
    },
  };
}

/** Writes files below a folder, each atomically. */
export function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}~`, text);
    renameSync(`${path}~`, path);
  }
}

/** The code of a component with this key that emits its version. */
export const keyed = (key: string, version = "1", before = ""): string =>
  `${before}export default { name: ${JSON.stringify(`Name of ${key}`)}, key: ${JSON.stringify(key)},
    version: ${JSON.stringify(version)}, run() { this.$emit(${JSON.stringify(version)}); } };\n`;
