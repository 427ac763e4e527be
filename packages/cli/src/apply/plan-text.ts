import type { Json } from "@x/runtime";

import { oneLine } from "../terminal/terminal-text.ts";
import type { FieldChange, Plan, Step } from "./plan.ts";

const signs = { create: "+", update: "~", remove: "-" } as const;
const maxValueChars = 60;

function valueText(value: Json | undefined): string {
  if (value === undefined) return "(none)";
  const isSecret = typeof value === "object" && value !== null && !Array.isArray(value) && value["__secret"] === true;
  return isSecret ? "(secret)" : oneLine(JSON.stringify(value), maxValueChars);
}

function changeText({ field, from, to }: FieldChange): string {
  if (field === "auth") return "credentials";
  if (field === "endpoint") return "verification or reader";
  const [before, after] = [valueText(from), valueText(to)];
  if (field === "component") return before === after ? "code" : `code, version ${before} -> ${after}`;
  return before === after ? field : `${field} ${before} -> ${after}`;
}

/** A step in one line. */
export function stepText({ action, kind, name, changes }: Step): string {
  const what = `${signs[action]} ${kind} ${name}`;
  return changes.length === 0 ? what : `${what}: ${changes.map(changeText).join(", ")}`;
}

/** A plan as lines. */
export function planLines({ steps, notes, recordChanges }: Plan, project: string, where: string): string[] {
  const hints = notes.map((note) => `note: ${note}`);
  if (steps.length === 0) {
    const nothing = recordChanges ? "Nothing to do but to record what is there" : "Nothing to do";
    return [...hints, `${nothing}: ${where} has what ${project} wants.`];
  }
  const count = (action: Step["action"]): number => steps.filter((step) => step.action === action).length;
  return [
    ...hints,
    `${project} at ${where}:`,
    ...steps.map((step) => `  ${stepText(step)}`),
    `${count("create")} to create, ${count("update")} to update, ${count("remove")} to remove.`,
  ];
}
