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

/** Long enough for the requests of the test itself on a busy machine. */
const limits = { headersMs: 1_500, requestMs: 3_000, keepAliveMs: 1_500, stallMs: 1_500, checkMs: 50 };
const dripMs = 250;
let service: Service;
let source: SourceBody;
beforeAll(async () => {
  service = await startService({}, { listen: { limits } });
  source = await service.deploy(component({ props: `http: "$.interface.http"` }));
});
afterAll(() => service[Symbol.asyncDispose]());

test.concurrent.each(slowClients)("$id: $promise", async ({ begin, drip }) => {
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
