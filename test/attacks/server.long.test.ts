import { request as send } from "node:http";
import { connect } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import {
  apiKey,
  component,
  endpointPath,
  type Service,
  type SourceBody,
  startService,
} from "../conformance/fixture.ts";
import { hostileAnswers } from "./server/answers.ts";
import { pages } from "./server/pages.ts";
import { rawRequests } from "./server/requests.ts";

let service: Service;
let answering: SourceBody;
let sources: number;
beforeAll(async () => {
  service = await startService(
    {},
    { app: { inspector: true, logger: { info() {}, warn() {}, error: (_, fields) => errors.push(fields) } } },
  );
  answering = await service.deploy(
    component({
      props: `http: { type: "$.interface.http", customResponse: true }`,
      run: `const answer = Function("return " + event.body.answer)(); this.http.respond(answer)`,
    }),
  );
  sources = await count();
});
afterAll(() => service[Symbol.asyncDispose]());

const errors: unknown[] = [];
const count = async (): Promise<number> =>
  (await service.call<{ page_info: { total_count: number } }>("GET", "/users/me/sources")).body.page_info.total_count;

/** All bytes of the server until it closes the connection. A client that is `done` has closed its side. */
async function talk(bytes: string, done: boolean): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const said: Buffer[] = [];
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => said.push(chunk));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(Buffer.from(bytes, "latin1"));
  if (done) socket.end();
  await closed;
  return Buffer.concat(said).toString("latin1");
}

async function expectServing(): Promise<void> {
  expect((await service.call("GET", "/users/me")).status).toBe(200);
  expect(await count()).toBe(sources);
  expect(errors).toEqual([]);
}

test.each(rawRequests)("$id: $promise", async ({ bytes, answers }) => {
  const said = await talk(bytes.replaceAll("KEY", apiKey).replace("IN", endpointPath(answering)), true);
  expect([...said.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))).toEqual(answers);
  await expectServing();
});

test.each(pages)("$id: $promise", async ({ method, path, headers, body, status }) => {
  const { hostname, port } = new URL(service.url);
  const answer = await new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replaceAll("KEY", apiKey)]),
    );
    const request = send(
      { hostname, port, method, path: path.replaceAll("KEY", apiKey), headers: given },
      (incoming) => {
        incoming.resume();
        incoming.once("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers }));
      },
    );
    request.once("error", reject);
    request.end(body?.replaceAll("KEY", apiKey));
  });
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  expect(answer.headers["set-cookie"]).toBeUndefined();
  const framed = ["x-frame-options", "content-security-policy"].map((name) => String(answer.headers[name])).join();
  expect(!["/", "/docs"].includes(path) || status !== 200 || /DENY|frame-ancestors 'none'/i.test(framed)).toBe(true);
  await expectServing();
});

test.each(hostileAnswers)("$id: $promise", async ({ answer, absent }) => {
  const body = JSON.stringify({ answer });
  const path = endpointPath(answering);
  const said = await talk(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${Buffer.from(body).toString("latin1")}`,
    false,
  );
  expect(said.match(/^HTTP\/1\.1 \d{3}/gm)).toHaveLength(1);
  const [head = ""] = said.split("\r\n\r\n");
  const names = head
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(":", 1)[0]?.toLowerCase());
  const isThere = (each: string): boolean => {
    const [name = "", value] = each.split("=");
    return value === undefined ? names.includes(name) : head.toLowerCase().includes(`${name}: ${value}`);
  };
  expect(absent.filter(isThere)).toEqual([]);
  await expectServing();
});
