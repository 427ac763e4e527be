import type { Template } from "./template.ts";

/** An event as a service with the secret of `run` sends it. */
const event = JSON.stringify({
  method: "POST",
  headers: { "x-signature": "sha256=49ad055c7c802c3d8080827e27e535c9925218e7c3286547182180b9b7ecc6e2" },
  bodyRaw: '{"id":1}',
  body: { id: 1 },
});

/** A component that registers its endpoint with a service. */
export const webhookTemplate: Template = {
  name: "webhook",
  about: "registers its endpoint with a service and checks signatures",
  run: `--props secret=my-secret --event '${event}'`,
  props: "--props secret=my-secret",
  deploys: "alone",
  first:
    "Without `api` nothing is registered: enter the endpoint that `x dev` prints and the secret at the service. The service signs each body with the secret: the header `x-signature` is `sha256=` and the HMAC in hex. Header name and format differ between services: adapt `isSigned`.",
  files: {
    "": `
      import { createHmac, timingSafeEqual } from "node:crypto";
      «
      import { defineComponent } from "@x/types";
      »
      /** Checks the body as it was received: JSON that is serialized again may differ. The comparison takes constant time. */
      function isSigned(secret«: string», text«: string», signature = "") {
        const expected = Buffer.from(\`sha256=\${createHmac("sha256", secret).update(text).digest("hex")}\`);
        const given = Buffer.from(signature);
        return given.length === expected.length && timingSafeEqual(given, expected);
      }

      export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits what a service sends to its endpoint, each delivery once.",
        dedupe: "unique",
        props: {
          secret: { type: "string", secret: true, description: "The service signs its requests with it" },
          api: { type: "string", optional: true, description: "URL where webhooks are registered" },
          http: { type: "$.interface.http", customResponse: true },
          db: "$.service.db",
        },
        hooks: {
          async activate() {
            if (!this.api) return;
            const response = await fetch(this.api, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ url: this.http.endpoint, secret: this.secret }),
            });
            if (!response.ok) throw new Error(\`\${this.api} answered \${response.status}\`);
            const { id } = «(»await response.json()«) as { id: string }»;
            this.db.set("webhook", id);
          },
          async deactivate() {
            const id = this.db.get("webhook");
            if (id) await fetch(\`\${this.api}/\${id}\`, { method: "DELETE" });
            this.db.set("webhook", null);
          },
        },
        run({ headers, bodyRaw, body }) {
          if (!isSigned(this.secret, bodyRaw, headers["x-signature"])) return this.http.respond({ status: 401 });
          const { id } = Object(body)« as { id?: string | number }»;
          if (id === undefined) return this.http.respond({ status: 400, body: { error: "There is no id" } });
          this.$emit(body, { id, summary: \`Delivery \${id}\` });
          return this.http.respond({ status: 202 });
        },
      }«)»;
    `,
    ".test": `
      import { createHmac } from "node:crypto";

      import { reply, source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      const secret = "my-secret";

      /** A delivery as the service sends it. */
      const signed = (body«: string») => ({
        headers: {
          "content-type": "application/json",
          "x-signature": \`sha256=\${createHmac("sha256", secret).update(body).digest("hex")}\`,
        },
        body,
      });

      test("a signed delivery is emitted once", async () => {
        const hook = source(component, { props: { secret } });
        await hook.deploy();
        // The spaces are signed too.
        const delivery = signed('{ "id": 1 }');
        expect(await hook.request("POST /", delivery)).toHaveRespondedWith(202);
        expect(await hook.request("POST /", delivery)).toHaveRespondedWith(202);
        expect(hook).toHaveEmitted([{ id: 1 }]);
        expect(hook).toHaveDeduped(1);
      });

      test("unsigned and wrongly signed requests are rejected", async () => {
        const hook = source(component, { props: { secret } });
        await hook.deploy();
        const { headers } = signed('{"id":1}');
        expect(await hook.request("POST /", { headers, body: '{"id":2}' })).toHaveRespondedWith(401);
        expect(await hook.request("POST /", { headers: { "x-signature": "sha256=0" }, body: {} })).toHaveRespondedWith(401);
        expect(await hook.request("POST /", { body: { id: 2 } })).toHaveRespondedWith(401);
        expect(hook).toHaveEmittedTimes(0);
      });

      test("the endpoint is registered on deploy and removed with the source", async () => {
        const hook = source(component, {
          props: { secret, api: "https://api.example.com/webhooks" },
          routes: {
            "POST https://api.example.com/webhooks": { id: "w1" },
            "DELETE https://api.example.com/webhooks/w1": reply(204),
          },
        });
        await hook.deploy();
        expect(hook).toHaveRequested("POST /webhooks", { body: { url: hook.endpoints["http"], secret } });
        await hook.delete();
        expect(hook).toHaveRequested("DELETE /webhooks/w1", 1);
      });
    `,
  },
};
