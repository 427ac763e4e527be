import { createHmac } from "node:crypto";
import { connect } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { listenerText, vector, vectorMs } from "../../packages/runtime/src/app-events/app-trial.cases.ts";
import { type Data, type Service, type SourceBody, startService } from "../conformance/fixture.ts";
import { hostileAppRequests, type HostileAppRequest } from "./apps/requests.ts";

/** Hostile requests at the endpoint of an app: each is refused or bounded, stores nothing, and the next event arrives. */

const secret = "slack-secret";
let service: Service;
let source: SourceBody;
let path: string;
beforeAll(async () => {
  service = await startService({ clock: manualClock(vectorMs) });
  const account = await service.call<Data<{ id: string }>>("POST", "/accounts", {
    app: "slack",
    auth: { team_id: "T1" },
  });
  source = await service.deploy(listenerText("slack", "static: []"), {
    app: { authProvisionId: account.body.data.id },
  });
  const endpoint = await service.call<Data<{ endpoint_url: string }>>("PUT", "/apps/slack/endpoint", { secret });
  path = new URL(endpoint.body.data.endpoint_url).pathname;
});
afterAll(() => service[Symbol.asyncDispose]());

function signed({ body, time, headers }: HostileAppRequest): readonly (readonly [string, string])[] {
  const sentAt = time ?? String(vectorMs / 1_000);
  const hmac = createHmac("sha256", secret).update(`v0:${sentAt}:${body}`).digest("hex");
  const own = [
    ["content-type", "application/json"],
    ["x-slack-request-timestamp", sentAt],
    ["x-slack-signature", `v0=${hmac}`],
  ] as const;
  return headers ? headers(own, hmac) : own;
}

/** The status and the body of the answer to raw bytes: fetch would tidy the headers. */
async function send(request: HostileAppRequest): Promise<readonly [status: number, body: string]> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const said: Buffer[] = [];
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => said.push(chunk));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const bytes = Buffer.from(request.body);
  const lines = signed(request).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `content-length: ${bytes.length}\r\nconnection: close\r\nhost: ${hostname}\r\n`;
  socket.write(`${request.method ?? "POST"} ${path}${request.query ?? ""} HTTP/1.1\r\n${length}${lines.join("")}\r\n`);
  socket.write(bytes);
  await closed;
  const text = Buffer.concat(said).toString("latin1");
  return [Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text.slice(text.indexOf("\r\n\r\n") + 4)];
}

const emitted = async (): Promise<number> => {
  await service.runtime.idle();
  return (await service.emitted(source.id)).length;
};

test.each(hostileAppRequests)("$id: $promise", async (request) => {
  const before = await emitted();
  const [status, body] = await send(request);
  expect(status, body).toBe(request.status);
  expect(body).not.toMatch(/signature|timestamp|secret/i);
  expect(await emitted()).toBe(before + (request.runs ?? 0));
  expect((await service.call("GET", "/users/me")).status).toBe(200);
});

test("a replay of an accepted request runs nothing, within its time and after it", async () => {
  const { body, headers } = vector("V1");
  await service.call("POST", "/accounts", { app: "slack", auth: { team_id: "T1", oauth_uid: "U1" } });
  const post = async (): Promise<number> => (await fetch(service.url + path, { method: "POST", body, headers })).status;
  const before = await emitted();
  expect([await post(), await post()]).toEqual([200, 200]);
  expect(await emitted()).toBeLessThanOrEqual(before + 1);
  const after = await emitted();
  service.clock.jump(301_000);
  expect(await post()).toBe(401);
  expect(await emitted()).toBe(after);
});

test("refused requests hide no others, and show no bodies and no headers", async () => {
  const { body } = await service.call<Data<{ recent: readonly { outcome: string }[] }>>("GET", "/apps/slack/endpoint");
  const rejected = body.data.recent.filter(({ outcome }) => outcome === "rejected" || outcome === "unreadable");
  expect(rejected.length).toBeLessThanOrEqual(20);
  expect(body.data.recent.some(({ outcome }) => outcome === "delivered")).toBe(true);
  expect(JSON.stringify(body)).not.toMatch(/v0=|hostile/);
});
