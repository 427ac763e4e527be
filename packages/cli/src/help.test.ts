import { expect, test } from "vitest";

import { accountsCommand } from "./client/accounts.ts";
import { appsCommand } from "./client/apps.ts";
import { dbCommand } from "./client/db.ts";
import { dataStoresCommand } from "./client/data-stores.ts";
import { eventsCommand, logsCommand } from "./client/events.ts";
import { runsCommand } from "./client/runs.ts";
import { sourcesCommand } from "./client/sources.ts";
import { subscriptionsCommand } from "./client/subscriptions.ts";
import { webhooksCommand } from "./client/webhooks.ts";
import { explainCommand } from "./explain/explain.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { testCommand } from "./run-tests.ts";

const asking = [
  sourcesCommand,
  eventsCommand,
  logsCommand,
  runsCommand,
  dbCommand,
  dataStoresCommand,
  accountsCommand,
  appsCommand,
  webhooksCommand,
  subscriptionsCommand,
];

test("every command and every verb of it has an example, --json, and lines that fit a terminal", () => {
  for (const command of [...asking, explainCommand, testCommand]) {
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
  const help = generalHelp([explainCommand, ...asking, testCommand], "1.2.3");
  const titles = [...help.matchAll(/^(\S.*):$/gm)].map(([, title]) => title);
  expect(titles).toEqual(["Write components", "Use a running service", "More", "Exit codes"]);
  expect(help).toMatch(/Use a running service:\n {2}sources .*\n {2}events /);
  expect(help).toMatch(/More:\n {2}explain /);
});
