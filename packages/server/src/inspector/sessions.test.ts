import { createRuntime, type Runtime } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { createSessions } from "./sessions.ts";

let runtime: Runtime;
let apiKey: string;
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
  ({ apiKey } = (await runtime.user()).user);
});
afterAll(() => runtime.close());

const hour = 3_600_000;

function openSessions() {
  const clock = { now: 0 };
  return { clock, ...createSessions({ runtime, now: () => clock.now }) };
}

test("a token works once", async () => {
  const { issueToken, signIn, authenticate } = openSessions();
  const { token } = issueToken();
  const session = await signIn({ token });
  expect(session && (await authenticate(session.key))?.id).toBe(runtime.firstUserId);
  expect(await signIn({ token })).toBeUndefined();
});

test("a token works for half an hour, a session for twelve hours", async () => {
  const { clock, issueToken, signIn, authenticate } = openSessions();
  const [early, late] = [issueToken().token, issueToken().token];
  clock.now = hour / 2 - 1;
  const session = await signIn({ token: early });
  clock.now += 1;
  expect(await signIn({ token: late })).toBeUndefined();
  clock.now = hour / 2 - 1 + 12 * hour - 1;
  expect(await authenticate(session?.key ?? "")).toBeDefined();
  clock.now += 1;
  expect(await authenticate(session?.key ?? "")).toBeUndefined();
});

test("the oldest of very many sessions and tokens end", async () => {
  const { issueToken, signIn, authenticate } = openSessions();
  const first = await signIn({ apiKey });
  for (let count = 0; count < 1_000; count += 1) await signIn({ apiKey });
  expect(await authenticate(first?.key ?? "")).toBeUndefined();
  const { token } = issueToken();
  for (let count = 0; count < 100; count += 1) issueToken();
  expect(await signIn({ token })).toBeUndefined();
});
