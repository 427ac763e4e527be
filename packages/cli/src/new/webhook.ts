import type { Template } from "./template.ts";

/** A component that a service calls, and that tells the service where. */
export const webhookTemplate: Template = {
  name: "webhook",
  about: "registers its endpoint with a service and checks who calls",
  run: `--props token=secret --event '{"method":"POST","headers":{"x-webhook-token":"secret"},"body":{"id":1}}'`,
  props: "--props token=secret",
  deploys: "text",
  first: "Without `api` nothing is registered: give the service the endpoint that `x dev` prints, and the token.",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      »export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits what a service sends to its endpoint, each delivery once.",
        dedupe: "unique",
        props: {
          token: { type: "string", secret: true, description: "The service sends it as x-webhook-token" },
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
              body: JSON.stringify({ url: this.http.endpoint, token: this.token }),
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
        run({ headers, body }) {
          if (headers["x-webhook-token"] !== this.token) return this.http.respond({ status: 401 });
          const { id } = Object(body)« as { id?: string | number }»;
          if (id === undefined) return this.http.respond({ status: 400, body: { error: "There is no id" } });
          this.$emit(body, { id, summary: \`Delivery \${id}\` });
          return this.http.respond({ status: 202 });
        },
      }«)»;
    `,
    ".test": `
      import { reply, source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      test("a delivery with the token is emitted once, any other is refused", async () => {
        const hook = source(component, { props: { token: "secret" } });
        await hook.deploy();
        const delivery = { headers: { "x-webhook-token": "secret" }, body: { id: 1 } };
        expect(await hook.request("POST /", delivery)).toHaveRespondedWith(202);
        expect(await hook.request("POST /", delivery)).toHaveRespondedWith(202);
        expect(await hook.request("POST /", { body: { id: 2 } })).toHaveRespondedWith(401);
        expect(hook).toHaveEmitted([{ id: 1 }]);
        expect(hook).toHaveDeduped(1);
      });

      test("the endpoint is registered, and given back when the source goes", async () => {
        const hook = source(component, {
          props: { token: "secret", api: "https://api.example.com/webhooks" },
          routes: {
            "POST https://api.example.com/webhooks": { id: "w1" },
            "DELETE https://api.example.com/webhooks/w1": reply(204),
          },
        });
        await hook.deploy();
        expect(hook).toHaveRequested("POST /webhooks", { body: { url: hook.endpoints["http"], token: "secret" } });
        await hook.delete();
        expect(hook).toHaveRequested("DELETE /webhooks/w1", 1);
      });
    `,
  },
};
