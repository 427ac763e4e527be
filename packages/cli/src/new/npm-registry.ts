import { execFileSync } from "node:child_process";

/** npm takes about 0.2 s to say it. */
const mostMs = 10_000;

/** The npm registry as npm itself has it configured (npmrc included); undefined where there is no npm. */
export function findNpmRegistry(): string | undefined {
  try {
    return execFileSync("npm", ["config", "get", "registry"], {
      encoding: "utf8",
      timeout: mostMs,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
