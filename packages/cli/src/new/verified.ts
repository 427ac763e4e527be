import type { Template } from "./template.ts";

/** A push as GitHub sends it. */
const event = JSON.stringify({
  method: "POST",
  headers: { "x-github-event": "push", "x-github-delivery": "1" },
  body: { ref: "refs/heads/main" },
});

/** A component whose requests are verified before it runs. */
export const verifiedTemplate: Template = {
  name: "verified",
  about: "has an endpoint that takes signed requests alone",
  run: `--event '${event}'`,
  deploys: "alone",
  first:
    "Requests are verified before the component runs, so it has no code for it: the scheme and the secret are given at the deploy, `__X__ deploy __NAME__.__EXT__ --verify http=github:@secret.txt`. There are schemes for GitHub, Stripe, Shopify, Slack, Standard Webhooks and others, and `hmac` with parameters for the rest. Without `--verify` everybody who knows the endpoint can send.",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      »export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits the pushes that GitHub sends to its endpoint, each delivery once.",
        dedupe: "unique",
        props: {
          http: "$.interface.http",
        },
        run({ headers, body }) {
          if (headers["x-github-event"] !== "push") return;
          const { ref } = Object(body)« as { ref?: string }»;
          this.$emit(body, { id: headers["x-github-delivery"]« ?? ""», summary: \`Push to \${ref}\` });
        },
      }«)»;
    `,
    ".test": `
      import { createHmac } from "node:crypto";

      import { source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      const secret = "my-secret";
      const props = { http: { verify: { scheme: "github", secret } } };

      /** A delivery as GitHub sends it. */
      const signed = (body«: string», type = "push") => ({
        headers: {
          "content-type": "application/json",
          "x-github-event": type,
          "x-github-delivery": "d-1",
          "x-hub-signature-256": \`sha256=\${createHmac("sha256", secret).update(body).digest("hex")}\`,
        },
        body,
      });

      test("a signed push is emitted once", async () => {
        const hook = source(component, { props });
        await hook.deploy();
        const delivery = signed('{"ref":"refs/heads/main"}');
        expect(await hook.request("POST /", delivery)).toHaveRespondedWith(200);
        expect(await hook.request("POST /", delivery)).toHaveRespondedWith(200);
        await hook.request("POST /", signed("{}", "ping"));
        expect(hook).toHaveEmitted([{ ref: "refs/heads/main" }]);
        expect(hook).toHaveDeduped(1);
      });

      test("other requests are refused, and the component does not run", async () => {
        const hook = source(component, { props });
        await hook.deploy();
        const { headers } = signed('{"ref":"a"}');
        expect(await hook.request("POST /", { headers, body: '{"ref":"b"}' })).toHaveRespondedWith(401);
        expect(await hook.request("POST /", { body: { ref: "b" } })).toHaveRespondedWith(401);
        expect(hook).toHaveEmittedTimes(0);
      });
    `,
  },
};
