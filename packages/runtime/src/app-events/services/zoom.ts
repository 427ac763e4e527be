import type { AppEvent } from "../app-event.ts";
import { bodyHash, bodyObject, present, textAt } from "./body.ts";
import type { AppService, ReadableRequest } from "./service.ts";

const steps = [
  "Open marketplace.zoom.us, Develop, Build App, then your app.",
  "Features, Event Subscriptions: paste the URL as Event notification endpoint URL, and validate it.",
  "Add the events there, such as Recording: All Recordings have completed, and save.",
];
const secret = "the Secret Token (Features, Token)";

function read(request: ReadableRequest, isAdmin: boolean): readonly AppEvent[] | undefined {
  const body = bodyObject(request);
  const name = textAt(body, "event");
  if (!body || name === undefined) return undefined;
  const host = textAt(body, "payload", "object", "host_id");
  const operator = textAt(body, "payload", "operator_id");
  const account = textAt(body, "payload", "account_id");
  const users = isAdmin ? [] : present(host, operator);
  const [byMe, forMe] = [`${name}.by_me`, `${name}.for_me`];
  const isKnown = host !== undefined && operator !== undefined;
  const sides = isKnown ? [host === operator ? byMe : forMe] : [byMe, forMe];
  return [
    {
      id: bodyHash(request),
      names: isAdmin ? [name] : [name, ...sides],
      accounts: [...users.map((uid) => ({ oauth_uid: uid })), ...present(account).map((id) => ({ account_id: id }))],
      data: body,
    },
  ];
}

export const zoom: AppService = {
  name: "zoom",
  slugs: ["zoom"],
  scheme: "zoom",
  secret,
  addressedBy: ["oauth_uid", "account_id"],
  steps,
  read: (request) => read(request, false),
};

export const zoomAdmin: AppService = {
  name: "zoom_admin",
  slugs: ["zoom_admin"],
  scheme: "zoom",
  secret,
  addressedBy: ["account_id"],
  steps,
  read: (request) => read(request, true),
};
