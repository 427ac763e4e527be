import { execFileSync, spawnSync } from "node:child_process";

import { assert, expect, test } from "vitest";

import type { NamedCommand } from "../command.ts";
import { loadCommand } from "../commands.ts";
import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { bashScript, fishScript, zshScript } from "./scripts.ts";
import { shellCommand } from "./words.ts";

const script = async (shell: string): Promise<string> => {
  const { code, out } = await runHere(["completion", shell]);
  expect(code).toBe(0);
  return out;
};

const sources = await loadCommand("sources");
assert(sources);

test("bash completes commands, subcommands, flags and their values; files are left to it", async () => {
  await using folder = await makeFolder({ "x.bash": await script("bash") });
  const complete = (...words: readonly string[]): string[] => {
    const line = `source "${folder.path}/x.bash"; COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _x; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", line], { encoding: "utf8" })
      .split("\n")
      .filter((word) => word !== "");
  };
  expect(complete("x", "de")).toEqual(["dev", "demo", "deploy"]);
  expect(complete("x", "sources", "")).toEqual([...shellCommand(sources).verbs]);
  expect(complete("x", "sources", "re")).toEqual(["resume", "reactivate"]);
  expect(complete("x", "deploy", "a.js", "--acc")).toEqual(["--account"]);
  expect(complete("x", "run", "--packages", "o")).toEqual(["on", "off"]);
  expect(complete("x", "completion", "f")).toEqual(["fish"]);
  expect(complete("x", "deploy", "--props", "")).toEqual([]);
  expect(complete("x", "none", "")).toEqual([]);
});

test.each(["zsh", "fish"])("the script of %s has every subcommand and flag", async (shell) => {
  const text = await script(shell);
  const words = shellCommand(sources);
  for (const { name } of words.flags) expect(text).toContain(shell === "fish" ? `-l ${name} ` : `--${name}:`);
  for (const verb of words.verbs) expect(text).toMatch(new RegExp(`\\b${verb}\\b`));
});

test.for(["bash", "zsh", "fish"])(
  "the script of %s has no syntax error, where it is installed",
  async (shell, { skip }) => {
    await using folder = await makeFolder({ script: await script(shell) });
    const checked = spawnSync(shell, ["-n", `${folder.path}/script`], { encoding: "utf8" });
    if (checked.error) skip(`${shell} is not installed`);
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
  },
);

test("quotes and colons of a text stay text", () => {
  const odd: NamedCommand = {
    name: "odd",
    operands: "",
    about: 'It\'s a: "test" $HOME',
    flags: [{ name: "it", value: "a|b", about: "don't" }],
    examples: [],
    run: () => Promise.resolve(0),
  };
  const words = [shellCommand(odd)];
  expect(zshScript(words)).toContain(`'odd:It'\\''s a: "test" $HOME'`);
  expect(fishScript(words)).toContain(`-d 'don'\\''t'`);
  expect(bashScript(words)).toContain('"odd --it") COMPREPLY=($(compgen -W "a b" -- "$word"))');
});

test("an unknown shell is refused with those that there are", async () => {
  expect(await runHere(["completion", "tcsh"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no completion for tcsh; there are bash, zsh, fish") as string,
  });
});
