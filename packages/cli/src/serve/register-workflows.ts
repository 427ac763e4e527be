import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { findRoot, type Runtime, type WorkflowView } from "@x/runtime";

import { checkFile } from "../given/given-file.ts";
import { UsageError } from "../given/usage-error.ts";

/** Whether a file that is no component may be meant as a workflow. */
export const looksLikeWorkflow = (file: string): boolean =>
  /\bdefineWorkflow\b|\bsteps\s*:/.test(readFileSync(file, "utf8"));

/** Registers the workflow of each file, in order; `root` is where imports may come from. */
export async function registerWorkflows(
  runtime: Runtime,
  files: readonly string[],
  root?: string,
): Promise<WorkflowView[]> {
  for (const file of files) checkFile(file);
  const registered: WorkflowView[] = [];
  const fileOf = new Map<string, string>();
  for (const file of files) {
    const view = await runtime.workflow({ file: resolve(file), root: root ?? findRoot(file) });
    const other = fileOf.get(view.id);
    if (other !== undefined) throw new UsageError(`${other} and ${file} are both the workflow ${view.id}`);
    fileOf.set(view.id, file);
    registered.push(view);
  }
  return registered;
}
