import type { EntryName, ErrorRecord } from "./records.ts";

const causedBy = "Caused by: ";

/** The causes of an error, as the component tells them, each that of the one before. */
function causeOf(stack: string): Error | undefined {
  const messages = stack.split("\n").flatMap((line) => (line.startsWith(causedBy) ? line.slice(causedBy.length) : []));
  return messages.toReversed().reduce<Error | undefined>((cause, message) => {
    const error = new Error(message, cause && { cause });
    // Where the harness made it says nothing.
    error.stack = `Error: ${message}`;
    return error;
  }, undefined);
}

/** The component threw, or a limit ended it. Its stack is that of the component's own files. */
export class ComponentError extends Error {
  /** `component_threw`, `sandbox_timeout`, … */
  readonly code: string;
  readonly entry: EntryName | "options";
  /** Where in the component's own files, such as `at run (/a/feed.mjs:7:3)`, when that is known. */
  readonly place: string | undefined;
  /** What may help; absent when nothing is known. */
  declare readonly hint?: string;

  constructor({
    code,
    name,
    message,
    stack,
    entry,
    hint,
  }: Omit<ErrorRecord, "entry" | "at"> & { entry: EntryName | "options" }) {
    const cause = causeOf(stack);
    super(message, cause && { cause });
    this.code = code;
    this.entry = entry;
    // Test runners show it as one of the error's own members.
    if (hint !== undefined) this.hint = hint;
    this.name = `ComponentError [${entry}]${name === "Error" || name === code ? "" : ` ${name}`}`;
    const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
    this.place = frames[0]?.trim();
    this.stack = [`${this.name}: ${message}`, ...frames].join("\n");
  }
}
