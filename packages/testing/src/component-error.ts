import { XError } from "@x/runtime";

import type { EntryName, ErrorRecord } from "./records.ts";

const causedBy = "Caused by: ";

/** The chain of causes that the component's stack lists. */
function causeOf(stack: string): Error | undefined {
  const messages = stack.split("\n").flatMap((line) => (line.startsWith(causedBy) ? line.slice(causedBy.length) : []));
  return messages.toReversed().reduce<Error | undefined>((cause, message) => {
    const error = new Error(message, cause && { cause });
    // Its own frames would only show the harness.
    error.stack = `Error: ${message}`;
    return error;
  }, undefined);
}

/** The component threw, or a limit stopped it. The stack has the frames of the component's own files. */
export class ComponentError extends Error {
  /** `component_threw`, `sandbox_timeout`, … */
  readonly code: string;
  readonly entry: EntryName | "options";
  /** The first frame in the component's own files, such as `at run (/a/feed.mjs:7:3)`; undefined when unknown. */
  readonly location: string | undefined;
  /** Advice; absent when there is none. */
  declare readonly hint?: string;

  constructor(record: Omit<ErrorRecord, "entry" | "at"> & { entry: EntryName | "options" }) {
    const { code, name, message, stack, entry, hint } = record;
    const cause = causeOf(stack);
    super(message, cause && { cause });
    this.code = code;
    this.entry = entry;
    // Test runners print own members of an error.
    if (hint !== undefined) this.hint = hint;
    this.name = `ComponentError [${entry}]${name === "Error" || name === code ? "" : ` ${name}`}`;
    const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
    this.location = frames[0]?.trim();
    this.stack = [`${this.name}: ${message}`, ...frames].join("\n");
  }
}

/**
 * What the test sees of a change that the runtime refused: `thrown` when a hook failed; else the refusal with all its
 * problems, of which the runtime's message lists only the first.
 */
export function explainRefusal(error: unknown, thrown: ErrorRecord | undefined): unknown {
  if (!XError.is(error)) return error;
  if (error.code === "hook_failed" && thrown) return new ComponentError(thrown);
  const unlisted = (error.details.errors ?? []).filter(({ message }) => !error.message.includes(message));
  if (unlisted.length > 0) error.message += `\nAlso: ${unlisted.map(({ message }) => message).join("; ")}`;
  return error;
}
