import type { ComponentWarning } from "../../model/model.ts";

/** A warning as one line: place, message and rule. */
export function warningText({ rule, message, file, line, column }: ComponentWarning): string {
  const place = file === undefined ? "" : `${file}:${line}:${column}: `;
  return `${place}${message} (${rule})`;
}
