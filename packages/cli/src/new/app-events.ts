import type { Template } from "./template.ts";

/** An event of the app, as its service sends it. */
const event = JSON.stringify({ id: "1", type: "order.paid", org: 7, order: "A-1" });

/** A component that listens to the events of an app, and the reader that makes them of requests. */
export const appEventsTemplate: Template = {
  name: "app-events",
  about: "gets the events of an app, whose service calls one URL",
  run: `--event '${event}' --app-event order.paid`,
  deploys: "account",
  first:
    "The service of the app calls one URL for all sources: `__X__ apps endpoint __NAME__ --scheme hmac --header x-signature --prefix sha256= --reader __NAME__.reader.__EXT__ < secret.txt` prints it, and verifies what it receives. For Slack, Zoom, Strava, Dropbox, Shopify and GitHub no reader is needed: use the slug of the app, such as `slack`. An event is for the accounts whose `$auth` has the fields of its `account`.",
  files: {
    ".reader": `
      «/** What the service sends. */
      interface Body {
        id: string;
        type: string;
        org: number;
      }

      »/** Turns a request of the service, which is verified already, into events. */
      export default {
        receive({ body }«: { body: Body }») {
          return { events: [{ id: body.id, name: body.type, account: { org_id: String(body.org) }, data: body }] };
        },
      };
    `,
    "": `
      «import { defineComponent } from "@x/types";

      »export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits each paid order once.",
        dedupe: "unique",
        props: {
          app: { type: "app", app: "__NAME__" },
          appHook: { type: "$.interface.apphook", appProp: "app", eventNames: ["order.paid"] },
        },
        run(event) {
          this.$emit(event, { id: event.id, summary: \`\${event.order} is paid\` });
        },
      }«)»;
    `,
    ".test": `
      import { receive, source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";
      import reader from "./__NAME__.reader.__EXT__";

      const body = { id: "1", type: "order.paid", org: 7, order: "A-1" };

      test("each paid order is emitted once", async () => {
        const orders = source(component, { accounts: { __FIELD__: { org_id: "7" } } });
        await orders.deploy();
        await orders.appEvent("order.paid", body, { account: { org_id: "7" } });
        await orders.appEvent("order.paid", body);
        expect(orders).toHaveEmitted([body]);
        expect(orders).toHaveDeduped(1);
      });

      test("a request is an event of the account of its organisation", async () => {
        const { events } = await receive(reader, { body });
        expect(events).toEqual([{ id: "1", names: ["order.paid"], accounts: [{ org_id: "7" }], data: body }]);
      });
    `,
  },
};
