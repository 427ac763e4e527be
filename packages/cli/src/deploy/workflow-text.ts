import { readFileSync } from "node:fs";

/** Whether a file looks like a workflow. */
export const looksLikeWorkflow = (file: string): boolean =>
  /\bdefineWorkflow\b|\bsteps\s*:/.test(readFileSync(file, "utf8"));
