import { assert, expect, test } from "vitest";

import { commandGroups, loadCommand } from "./commands.ts";
import { commandHelp, generalHelp } from "./help.ts";

/** Commands that answer with data, which programs read, too. */
const asking = "sources events logs runs db data-stores accounts apps webhooks subscriptions explain test".split(" ");

test("every command and every verb of it has an example, --json, and lines that fit a terminal", async () => {
  for (const name of asking) {
    const command = await loadCommand(name);
    assert(command);
    const help = commandHelp(command);
    expect(help.split("\n").filter((line) => line.length > 120)).toEqual([]);
    expect(help).toContain("--json");
    const verbs = command.operands.includes("|")
      ? command.operands.split("|").map((form) => form.trim().split(" ")[0])
      : [""];
    for (const verb of verbs) expect(help).toContain(`x ${command.name} ${verb}`.trimEnd());
  }
});

test("the general help groups commands by what a person is about to do", () => {
  const help = generalHelp(commandGroups, "1.2.3");
  const titles = [...help.matchAll(/^(\S.*):$/gm)].map(([, title]) => title);
  expect(titles).toEqual(["Write components", "Serve them", "Use a running service", "More", "Exit codes"]);
  expect(help).toMatch(/Use a running service:\n {2}deploy .*\n {2}apply /);
  expect(help).toMatch(/More:\n {2}nodes /);
});
