import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Service, startService } from "./fixture.ts";
import { addUser, firstUser } from "./user-client.ts";

interface NodeBody {
  readonly id: string;
  readonly since: number;
  readonly sources: number;
  readonly slots: number;
  readonly queue_depth: number;
  readonly lag_ms: number;
  readonly is_self: boolean;
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

test("the nodes share all slots and sources; one of them answers", async () => {
  const first = await firstUser(service);
  for (const name of ["One", "Two", "Three"]) await service.deploy(component({ name, run: "" }));
  const nodes = await first.data<readonly NodeBody[]>("GET", "/nodes");
  const sum = (count: (node: NodeBody) => number): number => nodes.reduce((all, node) => all + count(node), 0);
  expect(nodes.length).toBe(process.env["X_TEST_STORE"] === "cluster" ? 2 : 1);
  expect([sum(({ slots }) => slots), sum(({ sources }) => sources)]).toEqual([1_024, 3]);
  expect(nodes.filter(({ is_self: isSelf }) => isSelf)).toHaveLength(1);
  for (const { since, queue_depth: depth, lag_ms: lag } of nodes)
    expect([since, depth, lag].every((value) => Number.isInteger(value) && value >= 0)).toBe(true);
});

test("3.1 the path of the nodes exists only for the first user", async () => {
  const user = await addUser(service, { username: "curious" });
  const [found, nowhere] = [await user.call("GET", "/nodes"), await user.call("GET", "/nowhere")];
  expect([found.status, found.body]).toEqual([404, nowhere.body]);
});
