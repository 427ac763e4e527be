import type { Template } from "./template.ts";

/** A component that a service calls, and that tells the service where. */
export const webhookTemplate: Template = {
  name: "webhook",
  about: "registers its endpoint with a service and checks who calls",
  run: `--props token=secret --event '{"method":"POST","headers":{"x-webhook-token":"secret"},"body":{"id":1}}'`,
  first: "Without `api` nothing is registered: give the service the endpoint that `x dev` prints, and the token.",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      »/** Emits what a service sends to its endpoint, each delivery once. */
      export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
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
      import { once } from "node:events";
      import { createServer } from "node:http";
      «import type { AddressInfo } from "node:net";
      »import { fileURLToPath } from "node:url";

      import { createRuntime } from "@x/runtime";
      import { afterAll, expect, test } from "vitest";

      const file = fileURLToPath(new URL("__NAME__.__EXT__", import.meta.url));
      const asked«: string[]» = [];
      const service = createServer((request, response) => {
        asked.push(\`\${request.method} \${request.url}\`);
        response.end('{"id":"w1"}');
      }).listen(0, "127.0.0.1");
      await once(service, "listening");
      const { port } = service.address()« as AddressInfo»;
      // Every request of a component goes there, whatever its URL.
      const runtime = await createRuntime({ network: { upstream: \`http://127.0.0.1:\${port}\` } });
      afterAll(async () => {
        await runtime.close();
        service.close();
      });

      const post = (token«: string», body«: { id: number }») => ({
        httpProp: "http",
        event: { method: "POST", headers: { "x-webhook-token": token }, body },
      });

      test("a delivery with the token is emitted once, any other is refused", async () => {
        const { source } = await runtime.deploy({ file, props: { token: "secret" } });
        const first = await runtime.invoke(source.id, post("secret", { id: 1 }));
        expect([first.response, first.emitted]).toMatchObject([{ status: 202 }, [{ summary: "Delivery 1" }]]);
        const again = await runtime.invoke(source.id, post("secret", { id: 1 }));
        expect([again.response, again.emitted]).toMatchObject([{ status: 202 }, []]);
        const strange = await runtime.invoke(source.id, post("guess", { id: 2 }));
        expect([strange.response, strange.emitted]).toMatchObject([{ status: 401 }, []]);
      });

      test("the endpoint is registered, and given back when the source goes", async () => {
        const props = { token: "secret", api: "https://api.example.com/webhooks" };
        const { source } = await runtime.deploy({ file, props });
        await runtime.delete(source.id);
        expect(asked).toEqual(["POST /webhooks", "DELETE /webhooks/w1"]);
      });
    `,
  },
};
