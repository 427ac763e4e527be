import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";

import type { ObserveHooks } from "../api/observe-api.ts";
import { componentText, openTrial, runText } from "../runtime.cases.ts";

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A receiver that answers with these statuses in turn. */
async function receiver(...statuses: readonly number[]): Promise<string> {
  let served = 0;
  const server = createServer((_, response) => response.writeHead(statuses[served++] ?? 200).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

interface Recorded {
  readonly seen: unknown[][];
  readonly hooks: Required<ObserveHooks>;
}

function record(): Recorded {
  const seen: unknown[][] = [];
  return {
    seen,
    hooks: {
      start: ({ entry, type, source }) => void seen.push(["start", entry, type, source.name]),
      end: ({ entry, execution }) => void seen.push(["end", entry, execution.status]),
      ask: ({ entry, calls }) => void seen.push(["ask", entry, calls.length]),
      commit: ({ executionId, queuedMs, sandboxMs, commitMs }) =>
        void seen.push(["commit", executionId !== "", queuedMs, sandboxMs > 0, commitMs >= 0]),
      delivery: ({ number, status, attempt, eventName }) =>
        void seen.push(["delivery", number, status, attempt.httpStatus, eventName]),
      deploy: ({ change, source }) => void seen.push(["deploy", change, source.active]),
    },
  };
}

const hooked = componentText(`hooks: { deploy() {} }, run() { this.$emit(1, { name: "n" }); },`);

it("calls each hook in order: changes, starts, ends, commits and deliveries", async () => {
  const { seen, hooks } = record();
  const { runtime, deploy, advance } = await openTrial({ observe: hooks });
  const { source } = await deploy(hooked);
  const webhook = await runtime.createWebhook({ url: await receiver(500, 200) });
  await runtime.subscribe({ emitterId: source.id, listenerId: webhook.id, eventName: "n" });
  await runtime.invoke(source.id);
  await runtime.idle();
  await advance(60_000);
  await runtime.update(source.id, { active: false });
  await runtime.update(source.id, { active: true });
  await runtime.update(source.id, { name: "Other" });
  await runtime.delete(source.id);
  await runtime.close();
  expect(seen).toEqual([
    ["start", "deploy", "HOOK", "trial"],
    ["end", "deploy", "ok"],
    ["deploy", "create", true],
    ["start", "run", "MANUAL", "trial"],
    ["end", "run", "ok"],
    ["commit", true, 0, true, true],
    ["delivery", 1, "pending", 500, "n"],
    ["delivery", 2, "delivered", 200, "n"],
    ["deploy", "pause", false],
    ["deploy", "resume", true],
    ["deploy", "update", true],
    ["deploy", "delete", true],
  ]);
});

it("calls deploy for workflows too, when their registration changes something", async () => {
  const { seen, hooks } = record();
  const { runtime } = await openTrial({ observe: { deploy: hooks.deploy } });
  const handler = (): void => undefined;
  const { id } = await runtime.workflow({ name: "Flow", handler });
  await runtime.workflow({ name: "Flow", handler });
  await runtime.deleteWorkflow(id);
  await runtime.close();
  expect(seen).toEqual([
    ["deploy", "create", true],
    ["deploy", "delete", true],
  ]);
});

it("logs what a hook throws, and goes on", async () => {
  const logged: unknown[] = [];
  const thrower = (): never => {
    throw new Error("observer");
  };
  const { runtime, deploy } = await openTrial({
    observe: { start: thrower, end: thrower, commit: thrower, deploy: thrower },
    logger: { info() {}, warn() {}, error: (message, fields) => void logged.push([message, fields?.["error"]]) },
  });
  const { source } = await deploy(runText("this.$emit(1);"));
  expect((await runtime.invoke(source.id)).emitted).toHaveLength(1);
  await runtime.close();
  expect(logged).toEqual(Array.from({ length: 4 }, () => ["observe threw", "Error: observer"]));
});

it("refuses unknown hooks and values that are not functions", async () => {
  const wrong = { observe: { begin: () => undefined } } as object;
  await expect(openTrial(wrong)).rejects.toMatchObject({ code: "invalid_options" });
  await expect(openTrial({ observe: { start: 1 } } as object)).rejects.toMatchObject({ code: "invalid_options" });
});
