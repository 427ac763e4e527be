import { expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";
import { startServiceHere } from "./service-here.cases.ts";

test.each([
  ["/healthz", "GET"],
  ["/v1/users/me", "GET"],
  ["/in/some-endpoint", "POST"],
  ["/", "GET"],
])("from a crash to the end of its process, %s answers 503", async (path, method) => {
  await using folder = await makeFolder();
  const crash = new AbortController();
  await using service = await startServiceHere(folder.path, { crashed: crash.signal });
  const url = new URL(path, service.baseUrl);
  expect((await fetch(url, { method })).status).not.toBe(503);
  crash.abort(new Error("planned"));
  const answer = await fetch(url, { method });
  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: "closed" })]);
});
