import { afterAll, beforeAll, expect, test } from "vitest";

import { component, endpointPath, type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

test("S39 a component can call its own endpoint and those of others inside the server, and no other path", async () => {
  const other = await service.deploy(
    component({
      props: 'http: { type: "$.interface.http", customResponse: true }',
      run: "this.http.respond({ status: 299, body: event.bodyRaw })",
    }),
  );
  const source = await service.deploy(
    component({
      props: 'http: "$.interface.http"',
      run: `if (event.method) return this.$emit(event.path);
        const ask = (url, init) => fetch(url, init).then(({ status }) => status, (error) => "refused");
        const origin = new URL(this.http.endpoint).origin;
        this.$emit(await Promise.all([
          ask(this.http.endpoint + "/again", { method: "POST", body: "{}" }),
          ask(origin + "${endpointPath(other)}", { method: "POST", body: "hi" }),
          ask(origin + "/v1/users/me"),
          ask(origin + "/healthz"),
          ask(this.http.endpoint + "/../../v1/users/me"),
        ]));`,
    }),
  );
  await service.call("POST", `/sources/${source.id}/run`, { event: {} });
  await service.runtime.idle();
  expect(await service.emitted(source.id)).toEqual([[200, 299, "refused", "refused", "refused"], "/again"]);
});

test.each(["", ", customResponse: true"])(
  "S58 activate reads what the request of a handshake wrote%s",
  async (custom) => {
    const source = await service.deploy(
      component({
        props: `http: { type: "$.interface.http"${custom} }, db: "$.service.db"`,
        more: `hooks: { async activate() {
        this.db.set("mine", "hook");
        await fetch(this.http.endpoint, { method: "POST", body: "secret-1" });
        this.$emit([this.db.get("secret"), this.db.get("mine")]);
      } },`,
        run: `this.http.respond?.({ status: 200, headers: { "x-echo": event.bodyRaw } });
        this.db.set("secret", event.bodyRaw); this.db.set("mine", "run");`,
      }),
    );
    expect(await service.emitted(source.id)).toEqual([["secret-1", "hook"]]);
  },
);
