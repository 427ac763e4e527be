import { existsSync, readdirSync } from "node:fs";

import { systemClock } from "@x/runtime";

import { findNpmRegistry } from "../npm-registry.ts";
import { createCheck, type Finding } from "./finding.ts";

const npmCheck = createCheck("npm registry");
const clockCheck = createCheck("clock");
const componentsCheck = createCheck("components");

const answerMs = 5_000;
const differenceMs = { warning: 30_000, problem: 300_000 } as const;

interface Answered {
  readonly status: number;
  /** The clock of the registry minus that of this machine, in ms; undefined when it does not say. */
  readonly ahead: number | undefined;
}

async function ask(url: string): Promise<Answered | { readonly reason: string }> {
  const before = systemClock.now();
  try {
    const response = await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(answerMs) });
    const theirs = Date.parse(response.headers.get("date") ?? "");
    const ours = (before + systemClock.now()) / 2;
    // The header has whole seconds.
    return { status: response.status, ahead: Number.isNaN(theirs) ? undefined : theirs + 500 - ours };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = Object(cause) as { readonly code?: string };
    return { reason: code.code ?? (cause instanceof Error ? cause.message : String(cause)) };
  }
}

/** Compares the clock of this machine with one that it could reach. */
export function checkClock(ahead: number | undefined): Finding {
  if (ahead === undefined) return clockCheck.skipped("no other clock to compare with");
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const found = seconds < 2 ? "right" : `${seconds} s ${ahead > 0 ? "slow" : "fast"}`;
  const advice = "synchronise it: timedatectl set-ntp true";
  const consequence = "timers fire at the wrong time, and receivers refuse signatures and tokens";
  if (Math.abs(ahead) >= differenceMs.problem) return clockCheck.problem(`${found}: ${consequence}`, advice);
  if (Math.abs(ahead) >= differenceMs.warning) return clockCheck.warning(`${found}: ${consequence}`, advice);
  return clockCheck.ok(found);
}

/** Whether packages that components import can be fetched, and whether the clock is that of the registry. */
export async function checkNpmRegistry(): Promise<readonly Finding[]> {
  const url = await findNpmRegistry();
  if (url === undefined) {
    return [npmCheck.skipped("npm is not installed here, and npm_config_registry is not set"), checkClock(undefined)];
  }
  const { origin } = new URL(url);
  const answer = await ask(url);
  if ("reason" in answer) {
    const advice =
      "components that import packages cannot be deployed unless those are in the cache: open the way to it, set npm_config_registry to another, or serve with --packages off";
    return [npmCheck.warning(`${origin} does not answer (${answer.reason})`, advice), checkClock(undefined)];
  }
  const { status, ahead } = answer;
  const npm =
    status >= 500
      ? npmCheck.warning(`${origin} answers with ${status}`, "try again later, or set npm_config_registry to another")
      : npmCheck.ok(`${origin} answers`);
  return [npm, checkClock(ahead)];
}

/** Whether the folder of published components can be read. */
export function checkComponents(folder: string): Finding {
  if (!existsSync(folder)) {
    return componentsCheck.problem(`the registry ${folder} does not exist`, "create it, or choose another --registry");
  }
  try {
    return componentsCheck.ok(`${folder} has ${readdirSync(folder).length} entries`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return componentsCheck.problem(`the registry ${folder} cannot be read (${code})`, "let this user read it");
  }
}
