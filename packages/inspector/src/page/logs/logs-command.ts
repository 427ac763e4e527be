import type { LogFilter } from "./log-list.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that prints the same records. */
export const logsCommand = ({ sourceId, level, search }: LogFilter): string =>
  [
    "x logs",
    ...(sourceId === "" ? [] : [sourceId]),
    "--follow",
    ...(level === "" ? [] : ["--level", level]),
    ...(search.trim() === "" ? [] : ["--search", quoted(search.trim())]),
  ].join(" ");
