import type { EntryName, ErrorRecord } from "./records.ts";

/** The component threw, or a limit ended it. Its stack is that of the component's own files. */
export class ComponentError extends Error {
  /** `component_threw`, `sandbox_timeout`, … */
  readonly code: string;
  readonly entry: EntryName | "options";

  constructor({
    code,
    name,
    message,
    stack,
    entry,
  }: Omit<ErrorRecord, "entry" | "at"> & { entry: EntryName | "options" }) {
    super(message);
    this.code = code;
    this.entry = entry;
    this.name = `ComponentError [${entry}]${name === "Error" || name === code ? "" : ` ${name}`}`;
    const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
    this.stack = [`${this.name}: ${message}`, ...frames].join("\n");
  }
}
