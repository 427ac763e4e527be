import { assert, describe, expect, test } from "vitest";

import { loadCommand } from "../../packages/cli/src/commands.ts";
import { shellCommand } from "../../packages/cli/src/completion/words.ts";
import { runHere } from "../../packages/cli/src/run-here.cases.ts";
import { makeFolder } from "../../packages/cli/src/spawned.cases.ts";
import { isMissing } from "../deployment/program.ts";
import { type Complete, completeInFish, completeInZsh, zshLoads } from "./complete.ts";

const shells = [
  ["fish", "fish", completeInFish],
  ...Object.entries(zshLoads).map(
    ([how, load]) =>
      [
        `zsh, loaded ${how}`,
        "zsh",
        (...given: Parameters<typeof completeInFish>) => completeInZsh(...given, load),
      ] as const,
  ),
] as const;

const [apps, sources] = await Promise.all(["apps", "sources"].map(loadCommand));
assert(apps);
assert(sources);
const verbsOf = (command: Parameters<typeof shellCommand>[0]): string[] => [...shellCommand(command).verbs].sort();
const flagsOf = (command: Parameters<typeof shellCommand>[0]): string[] =>
  shellCommand(command)
    .flags.map(({ name }) => `--${name}`)
    .sort();

describe.each(shells)("%s", (_, program, completeIn) => {
  test.skipIf(isMissing(program))(
    "completes commands, subcommands, flags and values; files where they belong",
    async () => {
      await using folder = await makeFolder({ "orders.js": "", "run/a.js": "" });
      const { out } = await runHere(["completion", program]);
      const complete: Complete = completeIn(folder, out);
      expect(complete("x de")).toEqual(["demo", "deploy", "dev"]);
      expect(complete("x --")).toEqual(["--help", "--version"]);
      expect(complete("x sources ")).toEqual(verbsOf(sources));
      expect(complete("x sources re")).toEqual(["reactivate", "resume"]);
      expect(complete("x completion ")).toEqual(["bash", "fish", "zsh"]);
      expect(complete("x sources ls --")).toEqual(flagsOf(sources));
      expect(complete("x deploy orders.js --acc")).toEqual(["--account"]);
      expect(complete("x run --packages ")).toEqual(["off", "on"]);
      expect(complete("x deploy ord")).toEqual(["orders.js"]);
      expect(complete("x deploy orders.js --env-file ord")).toEqual(["orders.js"]);
      // run and services are also words of other commands.
      expect(complete("x sources run --")).toEqual(flagsOf(sources));
      expect(complete("x apps services --")).toEqual(flagsOf(apps));
      expect(complete("x none --")).toEqual([]);
    },
  );
});
