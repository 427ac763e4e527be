import type { Template } from "./template.ts";

/** A component with an endpoint of its own. */
export const httpTemplate: Template = {
  name: "http",
  about: "has an HTTP endpoint and answers for itself",
  run: `--event '{"method":"POST","body":{"message":"hello"}}'`,
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      »/** Emits every message that is posted to its endpoint. */
      export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        props: {
          http: { type: "$.interface.http", customResponse: true },
        },
        run({ body }) {
          const { message } = Object(body)« as { message?: unknown }»;
          if (typeof message !== "string") {
            return this.http.respond({ status: 400, body: { error: 'Send JSON with a "message"' } });
          }
          this.$emit({ message }, { summary: message });
          return this.http.respond({ status: 202, body: { message } });
        },
      }«)»;
    `,
    ".test": `
      import { fileURLToPath } from "node:url";

      import { createRuntime } from "@x/runtime";
      import { afterAll, expect, test } from "vitest";

      const file = fileURLToPath(new URL("__NAME__.__EXT__", import.meta.url));
      const runtime = await createRuntime();
      afterAll(() => runtime.close());

      test("a message is emitted and answered", async () => {
        const { source } = await runtime.deploy({ file });
        const event = { method: "POST", body: { message: "hello" } };
        const { response, emitted } = await runtime.invoke(source.id, { httpProp: "http", event });
        expect(response).toMatchObject({ status: 202, body: '{"message":"hello"}' });
        expect(emitted).toMatchObject([{ summary: "hello" }]);
      });

      test("what is no message is refused", async () => {
        const { source } = await runtime.deploy({ file });
        const { response, emitted } = await runtime.invoke(source.id, { httpProp: "http", event: { method: "GET" } });
        expect(response).toMatchObject({ status: 400 });
        expect(emitted).toEqual([]);
      });
    `,
  },
};
