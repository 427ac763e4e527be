import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { EndpointRequest } from "../../api/api.ts";
import type { Runtime } from "../../api/runtime-api.ts";
import { createRuntime } from "../../runtime.ts";
import { testEngine } from "../../engine.cases.ts";

const text = new TextEncoder();
const request = (body: string): EndpointRequest => ({
  method: "POST",
  path: "/",
  url: "http://127.0.0.1/",
  search: "",
  headers: [["content-type", "text/plain"]],
  body: text.encode(body),
  clientIp: "127.0.0.1",
});

/** Registers itself with a service that calls the endpoint back before it answers, and refuses without the right echo. */
const component = (fail = "") => `export default {
  name: "Registers itself", version: "1",
  props: { db: "$.service.db", service: { type: "string" }, http: { type: "$.interface.http", customResponse: true } },
  hooks: {
    async activate() {
      const reply = await fetch(this.service, { method: "POST", body: this.http.endpoint.split("/").pop() });
      if (!reply.ok) throw new Error("the service refused: " + reply.status);
      ${fail}
    },
  },
  run(event) {
    this.db.set("challenge", event.bodyRaw);
    this.$emit({ challenge: event.bodyRaw });
    this.http.respond({ status: 200, body: "echo " + event.bodyRaw });
  },
};`;

describe("a service that calls back during its registration", () => {
  let runtime: Runtime;
  let server: Server;
  let service: string;
  beforeAll(async () => {
    runtime = await createRuntime({ network: { mode: "allow-private" }, engine: await testEngine() });
    server = createServer((incoming, outgoing) => {
      incoming.setEncoding("utf8");
      incoming.on("data", (key: string) => {
        void runtime.request(key, request("are you there?")).then((answer) => {
          outgoing.writeHead(new TextDecoder().decode(answer.body) === "echo are you there?" ? 200 : 403).end();
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    service = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    await runtime.close();
    server.close();
  });

  it("is answered by run during the activate hook, and the effects of run are committed with the deploy", async () => {
    const { source } = await runtime.deploy({ code: component(), props: { service } });
    const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
    expect(items.map(({ payload }) => payload)).toEqual(['{"challenge":"are you there?"}']);
    expect((await runtime.invoke(source.id, { event: { bodyRaw: "later", isNone: true } })).error?.message).toContain(
      "only available in a run that a request",
    );
  });

  it("is answered again when an update reactivates the source", async () => {
    const { source } = await runtime.deploy({ code: component(), props: { service } });
    await runtime.update(source.id, { name: "renamed" });
    await runtime.idle();
    const { totalCount } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
    expect(totalCount).toBe(2);
  });

  it("a failed deploy still leaves nothing behind", async () => {
    const before = (await runtime.sources({ limit: 100 })).totalCount;
    const deploy = runtime.deploy({ code: component(`throw new Error("changed my mind")`), props: { service } });
    await expect(deploy).rejects.toMatchObject({ code: "hook_failed" });
    expect((await runtime.sources({ limit: 100 })).totalCount).toBe(before);
  });

  it("runs the request again in the old source when the update fails", async () => {
    const { source } = await runtime.deploy({ code: component(), props: { service } });
    const failing = component(`throw new Error("changed my mind")`);
    await expect(runtime.update(source.id, { code: failing })).rejects.toMatchObject({ code: "hook_failed" });
    await runtime.idle();
    // One from the deploy, one from the old activate that ran again, one from the failed update's request.
    const { totalCount } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
    expect(totalCount).toBe(3);
  });
});
