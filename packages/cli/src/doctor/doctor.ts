import { resolve } from "node:path";

import { findPlatformProblem } from "@x/model";
import { findBundlerProblem } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { parseInteger } from "../arguments/quantity.ts";
import type { Command } from "../command.ts";
import { placeFlags } from "../data/place.ts";
import { environment } from "../environment.ts";
import { findPackageManager } from "../package-manager.ts";
import { readHost } from "../serve/host-flag.ts";
import { UsageError } from "../errors.ts";
import { checkStoreUrl } from "../serve/open-store.ts";
import { hanging, inLine, jsonText, safeText } from "../terminal/visible.ts";
import { readVersion } from "../version.ts";
import { checkDisk, checkFolder } from "./check-folder.ts";
import { checkPackages } from "./check-packages.ts";
import { checkPort } from "./check-port.ts";
import { checkComponents, checkNpmRegistry } from "./check-registry.ts";
import { checkDataFile, checkSchema } from "./check-store.ts";
import { createCheck, type Finding, type FindingStatus, worstOf } from "./finding.ts";

const nodeCheck = createCheck("node");

function checkNode(): Finding {
  const problem = findPlatformProblem(process.versions);
  const found = `Node ${process.versions.node}, x ${readVersion()}`;
  return problem === undefined ? nodeCheck.ok(found) : nodeCheck.problem(found, problem);
}

const bundlerCheck = createCheck("bundler");

/** node_modules that came from another system have no esbuild for this one. */
async function checkEsbuild(): Promise<Finding> {
  const problem = await findBundlerProblem();
  if (problem === undefined) return bundlerCheck.ok("esbuild runs");
  return bundlerCheck.problem(
    problem,
    `install the packages on this machine, with optional dependencies: ${findPackageManager().install}`,
  );
}

async function examine(args: Arguments): Promise<readonly Finding[]> {
  const data = args.text("data") ?? ".x";
  const host = readHost(args);
  const port = args.read("port", (flag, text) => parseInteger(flag, text, 1, 65_535)) ?? 7777;
  const store = args.text("store") ?? environment.store;
  const registry = args.text("registry") ?? environment.registry;
  if (store !== undefined) checkStoreUrl(store);
  const folder = checkFolder(data);
  // Without rights to the folder its content would be called damaged.
  const content = folder.status === "problem" ? [] : await checkDataFile(data);
  return [
    checkNode(),
    await checkEsbuild(),
    checkPackages(process.cwd(), `${process.platform}-${process.arch}`, process.versions["pnp"] !== undefined),
    await checkPort(host, port),
    ...(store === undefined ? [folder, checkDisk(data), ...content] : await checkSchema(store, data)),
    ...(registry === undefined ? [] : [checkComponents(resolve(registry))]),
    ...(args.has("offline") ? [] : await checkNpmRegistry()),
  ];
}

/** By the worst finding; 4 is that of problems with the environment. */
const codes: { readonly [status in FindingStatus]: number } = { ok: 0, skipped: 0, warning: 1, problem: 4 };

async function doctor(args: Arguments): Promise<number> {
  const [extra] = args.operands;
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many: x doctor`);
  const findings = await examine(args);
  const worst = worstOf(findings);
  if (args.has("json")) {
    console.log(jsonText({ status: worst, findings, exit_code: codes[worst] }, 2));
    return codes[worst];
  }
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, status, found, advice } of findings) {
    console.log(`${status.padEnd(7)}  ${check.padEnd(width)}  ${inLine(found)}`);
    if (advice !== undefined)
      console.log(`${" ".repeat(width + 11)}-> ${safeText(hanging(advice, " ".repeat(width + 14)))}`);
  }
  return codes[worst];
}

/** `x doctor`: looks for what would keep a service from working. */
export const doctorCommand: Command = {
  operands: "",
  details: [
    "Checks Node, the installed packages, the port, the data folder and its disk, the store and its secret key, the endpoints",
    "of apps, the npm registry and the clock, with the flags and variables of x serve; changes nothing, and works beside a",
    "running service. The exit code is that of the worst finding: 0 for none, 1 for a warning, 4 for a problem.",
  ].join("\n"),
  flags: [
    ...placeFlags(),
    { name: "port", value: "PORT", about: "the port of the service (default 7777)" },
    { name: "host", value: "HOST", about: "its address (default 127.0.0.1)" },
    { name: "registry", value: "DIR", about: "folder of published components (default: X_REGISTRY)" },
    { name: "offline", about: "do not ask the npm registry, whose clock is compared, too" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: ["x doctor --data /var/lib/x", "x doctor --store 'postgres://host/db?schema=sources' --json"],
  run: doctor,
};
