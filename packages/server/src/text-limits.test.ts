import { createRuntime } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../runtime/src/engine.cases.ts";
import { createApp } from "./app.ts";
import { createRoutes } from "./routes/table.ts";
import type { RequestProblem } from "./schema.ts";

const never = (): never => {
  throw new Error("no route is called");
};

test("every parameter that is a text of limited length names its limit to a longer one", () => {
  const routes = createRoutes({ streams: { open: never, openExecutions: never, openLogs: never } });
  let checked = 0;
  for (const { method, path, parameters } of routes)
    for (const part of Object.values(parameters))
      for (const [name, { type, maxLength }] of Object.entries(part?.schema.properties ?? {})) {
        if (type !== "string" || maxLength === undefined) continue;
        const problems: RequestProblem[] = [];
        part?.read({ [name]: "a".repeat(maxLength + 1) }, problems);
        const limit = `longer than ${maxLength.toLocaleString("en-US")} characters`;
        const named = problems.filter(
          ({ message, received = "" }) => message.includes(limit) && received === `a text ${limit}`,
        );
        expect(named, `${method} ${path} ${name}`).toHaveLength(1);
        checked += 1;
      }
  expect(checked).toBeGreaterThan(100);
});

test("texts that the runtime checks name their limit too, and never show a secret", async () => {
  await using runtime = await createRuntime({ engine: await testEngine(), apiKey: "k" });
  const app = createApp(runtime);
  const long = (chars: number): string => "a".repeat(chars + 1);
  const url = (chars: number): string => `https://example.test/${long(chars)}`;
  const code = "export default { name: 'A', version: '1', run() {} };";
  for (const [method, path, body, limit] of [
    ["POST", "/webhooks", { url: url(4_000) }, "4,000"],
    ["POST", "/webhooks", { url: `https://${long(1_024)}.test/` }, "1,024"],
    ["POST", "/webhooks", { url: "https://example.test/", name: long(4_000) }, "4,000"],
    ["POST", "/sources", { component_code: code, webhook_url: url(4_000) }, "4,000"],
    ["POST", "/sources", { component_url: `https://${long(1_024)}.test/` }, "1,024"],
    ["POST", "/sources", { component_files: { [long(512)]: code }, component_entry: "a.js" }, "512"],
    ["POST", "/accounts", { app: long(128), auth: {} }, "128"],
    ["POST", "/accounts", { app: "acme", name: long(256), auth: {} }, "256"],
    ["PUT", "/apps/acme", { oauth: { client_id: long(512) } }, "512"],
    ["PUT", "/apps/acme", { oauth: { client_id: "c", client_secret: long(4_096) } }, "4,096"],
    ["PUT", "/apps/acme", { oauth: { client_id: "c", token_url: url(2_048) } }, "2,048"],
    ["PUT", "/apps/acme", { fields: [{ name: "key", label: long(512) }] }, "512"],
    ["PUT", "/apps/acme", { fields: [{ name: long(64) }] }, "64"],
  ] as const) {
    const response = await app.fetch(
      new Request(`http://x.test/v1${path}`, {
        method,
        headers: { authorization: "Bearer k", "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    const { error } = (await response.json()) as { error: string };
    const about = `${method} ${path} ${Object.keys(body).join()}: ${error.slice(0, 300)}`;
    expect(response.status, about).toBeGreaterThanOrEqual(400);
    expect(error, about).toContain(`longer than ${limit} characters`);
    expect(error.length, about).toBeLessThan(400);
  }
});
