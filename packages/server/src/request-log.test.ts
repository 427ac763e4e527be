import { createRuntime } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../runtime/src/engine.cases.ts";
import { createApp } from "./app.ts";

test("a logger that takes debug records gets every answer, without queries and keys of endpoints", async () => {
  const seen: unknown[] = [];
  await using runtime = await createRuntime({ engine: await testEngine() });
  const app = createApp(runtime, {
    mountPath: "/events",
    logger: {
      debug: (message, fields) => void seen.push([message, fields?.method, fields?.path, fields?.status]),
      info() {},
      warn() {},
      error() {},
    },
  });
  for (const [method, path] of [
    ["GET", "/events/healthz?token=secret"],
    ["POST", "/events/in/secretkey/more"],
    ["DELETE", "/events/v1/users/me"],
  ] as const)
    await app.fetch(new Request(`http://x.test${path}`, { method }));
  expect(seen).toEqual([
    ["a request was answered", "GET", "/events/healthz", 200],
    ["a request was answered", "POST", "/events/in/*/more", 404],
    ["a request was answered", "DELETE", "/events/v1/users/me", 405],
  ]);
});
