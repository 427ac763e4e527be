import { createHmac } from "node:crypto";

import type { EndpointRequest, EndpointResponse, SourceView } from "../api/api.ts";
import type { Runtime } from "../api/runtime-api.ts";
import type { Json } from "../../../model/src/model.ts";
import { requestOf, type Vector, vectors, vectorTime } from "../signatures/vectors.cases.ts";

export const vectorMs: number = vectorTime * 1_000;
export const vector = (name: string): Vector => {
  const found = vectors.find((each) => each.name === name);
  if (!found) throw new Error(`no vector ${name}`);
  return found;
};

/** A request to the endpoint of an app, such as a vector's. */
export const appRequest = (given: Vector, change: Partial<EndpointRequest> = {}): EndpointRequest => ({
  path: "/",
  clientIp: "127.0.0.1",
  ...requestOf(given),
  url: "http://sender.example/in/other",
  ...change,
});

/** A message in Slack, signed; `more` are members beside the event. */
export function slackMessage(event: object, more: object = {}, at: number = vectorTime): Vector {
  const body = JSON.stringify({ type: "event_callback", team_id: "T1", event: { type: "message", ...event }, ...more });
  const signature = `v0=${createHmac("sha256", "slack-secret").update(`v0:${at}:${body}`).digest("hex")}`;
  return {
    name: "slack message",
    scheme: "slack",
    secret: "slack-secret",
    body,
    headers: { "x-slack-request-timestamp": String(at), "x-slack-signature": signature },
    signature: "x-slack-signature",
  };
}

/** A component that listens to events of an app and emits them. */
export const listenerText = (app: string, eventNames: string, members = ""): string => `
  const app = { type: "app", app: ${JSON.stringify(app)} };
  export default {
    key: "listener", name: "Listener", version: "1.0.0",
    props: { app, hook: { type: "$.interface.apphook", appProp: "app", ${eventNames} } },
    ${members}
    run(event) { this.$emit(event); },
  };`;

/** Connects an account; resolves with the value of an app prop. */
export async function connected(
  runtime: Pick<Runtime, "createAccount">,
  app: string,
  auth: { readonly [field: string]: Json },
): Promise<{ authProvisionId: string }> {
  const { id } = await runtime.createAccount({ app, auth });
  return { authProvisionId: id };
}

export const bodyText = ({ status, body }: EndpointResponse): [number, string] => [
  status,
  Buffer.from(body).toString(),
];

/** Payloads that a source emitted, oldest first. */
export async function emitted(runtime: Pick<Runtime, "storedEvents">, { source }: SourceView): Promise<Json[]> {
  const { items } = await runtime.storedEvents(source.id, "emits", { limit: 100 });
  return items.toReversed().map(({ payload }) => JSON.parse(payload) as Json);
}
