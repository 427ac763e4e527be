import type { Arguments, Flag } from "../arguments/arguments.ts";
import { envFileFlag, loadEnvFile } from "../arguments/env-file.ts";
import { serviceFlags } from "../client/service-flags.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { exitCodes } from "../exit-code.ts";
import { deployFlags } from "../deploy/deploy.ts";
import { diffFiles } from "../deploy/diff-files.ts";
import { askYes } from "../new/ask.ts";
import { inLine, jsonText } from "../terminal/visible.ts";
import { applyPlan } from "./apply-plan.ts";
import { configFlag } from "./config-file.ts";
import { makePlan } from "./make-plan.ts";
import type { Plan } from "./plan.ts";
import { planLines, stepText } from "./plan-text.ts";

const planFlags: readonly Flag[] = [configFlag, envFileFlag, ...serviceFlags];

const shownPlan = ({ steps, notes }: Plan, project: string, applied: boolean): object => ({
  project,
  steps,
  notes,
  applied,
});

function rejectOperands({ operands: [first] }: Arguments): void {
  if (first !== undefined) throw new UsageError(`x apply takes no operand; name the config with --config ${first}`);
}

/** Asks in a terminal, before something is changed. */
async function isConfirmed(args: Arguments, { steps }: Plan): Promise<boolean> {
  if (steps.length === 0 || args.has("yes") || args.has("json") || !process.stdin.isTTY) return true;
  return askYes({ input: process.stdin, output: process.stdout }, "Make these changes? (yes or no) ");
}

async function apply(args: Arguments): Promise<number> {
  rejectOperands(args);
  loadEnvFile(args);
  const { plan, file, ...parts } = await makePlan(args);
  const { config } = file;
  const isJson = args.has("json");
  if (!isJson) for (const line of planLines(plan, config.project, parts.client.where)) console.log(inLine(line));
  if (!(await isConfirmed(args, plan))) return exitCodes.ok;
  await applyPlan(plan, {
    ...parts,
    config,
    done(step, shown) {
      const text = `done: ${stepText({ ...step, changes: [] })}${shown === undefined ? "" : `  ${shown}`}`;
      // A signing key is shown nowhere else.
      if (!isJson) console.log(inLine(text));
      else if (shown !== undefined) console.error(inLine(text));
    },
  });
  if (isJson) console.log(jsonText(shownPlan(plan, config.project, true), 2));
  return exitCodes.ok;
}

async function diff(args: Arguments): Promise<number> {
  loadEnvFile(args);
  if (args.operands.length > 0) {
    if (args.has("config")) throw new UsageError("Either FILE or --config");
    return diffFiles(args);
  }
  const ofDeploy = deployFlags.find(({ name }) => args.has(name));
  if (ofDeploy) throw new UsageError(`--${ofDeploy.name} is for x diff FILE; the config has the values of its sources`);
  const { plan, file, client } = await makePlan(args);
  const { project } = file.config;
  if (args.has("json")) console.log(jsonText(shownPlan(plan, project, false), 2));
  else for (const line of planLines(plan, project, client.where)) console.log(inLine(line));
  return args.has("check") && plan.steps.length > 0 ? exitCodes.component : exitCodes.ok;
}

/** `x apply`: makes a service match a config. */
export const applyCommand: Command = {
  operands: "",
  details: [
    "Prints a plan of what is to create, update and remove, and makes the changes; in a terminal it asks before. Accounts,",
    "webhooks, sources and subscriptions are found by their names. The service records what each project has made, so that",
    "x removes what is no longer in the config, and never what something else has made. Applied twice, it changes nothing;",
    "after an interruption run it again. A service that x serve started with this config registers the workflows, before anything",
    "else; another service has none of them. Credentials and signing keys are not printed, except the key of a new webhook.",
    "${NAME} in x.config.json is a variable of the environment or of the env file; Node runs x.config.ts, with all of them.",
  ].join("\n"),
  flags: [{ name: "yes", about: "do not ask" }, ...planFlags],
  examples: ["x apply", "x apply --to https://hooks.example.com --env-file prod.env --yes", "x apply --json"],
  run: apply,
};

/** `x diff`: what `x apply` or `x deploy` would do. */
export const diffCommand: Command = {
  operands: "[FILE|DIR…]",
  details: [
    "Without FILE it is the plan of x apply; with FILE, what x deploy would do with the same flags. The service builds and",
    "checks the code. Nothing is saved, and no hook runs. Values of secret props and credentials are compared and not shown.",
  ].join("\n"),
  flags: [{ name: "check", about: "exit with 1 if something would change" }, ...deployFlags, ...planFlags],
  examples: [
    "x diff",
    "x diff --config prod.config.ts --check",
    "x diff sources/orders.ts --props region=eu --to https://hooks.example.com",
    "x diff --json",
  ],
  run: diff,
};
