import { createRequire } from "node:module";

/** The only one whose insides are known. */
const knownMajor = 5;

function findVersion(): string {
  try {
    const { version } = createRequire(import.meta.url)("vitest/package.json") as { readonly version?: unknown };
    return typeof version === "string" ? version : "of this project";
  } catch {
    return "of this project";
  }
}

/** Why nothing is found in this vitest; `advice` is what a test can write all the same. */
export const otherVitest = (advice: string): string =>
  `Imported components and mocks are found in what vitest ${knownMajor} keeps of a test's modules, and vitest ${findVersion()} does not keep it there: use vitest ${knownMajor}, or say where the component's file is: ${advice}.`;
