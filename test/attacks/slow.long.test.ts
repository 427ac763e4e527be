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
import { slowClients } from "./server/slow.ts";

const limits = { headersMs: 300, requestMs: 600, keepAliveMs: 300, stallMs: 300, checkMs: 50 };
const dripMs = 50;
let service: Service;
let source: SourceBody;
beforeAll(async () => {
  service = await startService({}, { listen: { limits } });
  source = await service.deploy(component({ props: `http: "$.interface.http"` }));
});
afterAll(() => service[Symbol.asyncDispose]());

test.each(slowClients)("$id: $promise", async ({ begin, drip }) => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let said = "";
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => (said += String(chunk)));
  socket.write(begin.replaceAll("KEY", apiKey).replace("IN", endpointPath(source)));
  const dripping = setInterval(() => drip !== "" && socket.write(drip), dripMs);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(dripping);
  expect(["", "200", "400", "408"]).toContain(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? "");
  expect((await service.call("GET", "/users/me")).status).toBe(200);
  expect(await service.events(source.id)).toEqual([]);
});
