import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { surveyFolder } from "./generated-component.ts";
import type { Seen } from "./view.ts";

/** Runs a generated component in a Node process of its own. */
export async function viewInNode(file: string): Promise<Seen> {
  const entry = join(surveyFolder, "node-view.mjs");
  const child = fork(entry, [file], { execArgv: [], env: { TZ: "UTC" }, stdio: ["ignore", "ignore", "ignore", "ipc"] });
  let seen: Seen = { failure: "the process ended" };
  child.on("message", (message) => void (seen = message as Seen));
  await once(child, "exit");
  return seen;
}
