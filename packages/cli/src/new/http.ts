import type { Template } from "./template.ts";

/** A component with an HTTP endpoint. */
export const httpTemplate: Template = {
  name: "http",
  about: "has an HTTP endpoint and sends its own responses",
  run: `--event '{"method":"POST","body":{"message":"hello"}}'`,
  deploys: "alone",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      »export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits every message that is posted to its endpoint.",
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
      import { source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      test("a message is emitted and acknowledged", async () => {
        const inbox = source(component);
        await inbox.deploy();
        const answer = await inbox.request("POST /", { body: { message: "hello" } });
        expect(answer).toHaveRespondedWith(202, { message: "hello" });
        expect(inbox).toHaveEmitted([{ message: "hello" }]);
      });

      test("a request without a message is rejected", async () => {
        const inbox = source(component);
        await inbox.deploy();
        expect(await inbox.request("GET /")).toHaveRespondedWith(400);
        expect(inbox).toHaveEmittedTimes(0);
      });
    `,
  },
};
