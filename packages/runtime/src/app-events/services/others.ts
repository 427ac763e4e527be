import { bodyHash, bodyObject, formFields, header, parseObject, present, textAt } from "./body.ts";
import type { AppService } from "./service.ts";

export const strava: AppService = {
  name: "strava",
  slugs: ["strava"],
  scheme: "strava",
  secret: "a text that you choose: the verify_token of the subscription",
  addressedBy: ["oauth_uid"],
  steps: [
    "Create a subscription: POST https://www.strava.com/api/v3/push_subscriptions with client_id, client_secret, callback_url (the URL) and verify_token (the secret).",
    "Strava asks for the URL with the token at once, and is answered.",
  ],
  read(request) {
    const body = bodyObject(request);
    const [object, aspect] = [textAt(body, "object_type"), textAt(body, "aspect_type")];
    const owner = textAt(body, "owner_id");
    if (!body || object === undefined || aspect === undefined || owner === undefined) return undefined;
    const accounts = [{ oauth_uid: owner }];
    return [{ id: bodyHash(request), names: [`${object}.${aspect}`], accounts, data: body }];
  },
};

export const dropbox: AppService = {
  name: "dropbox",
  slugs: ["dropbox"],
  scheme: "dropbox",
  secret: "the App secret (Settings)",
  addressedBy: ["oauth_uid"],
  steps: [
    "Open www.dropbox.com/developers/apps, then your app.",
    "Settings, Webhooks: paste the URL and add it. Dropbox asks for it with a challenge, which is answered.",
  ],
  read(request) {
    const body = bodyObject(request);
    const listed = bodyObject(request)?.["list_folder"];
    const given = typeof listed === "object" && listed !== null && !Array.isArray(listed) ? listed["accounts"] : [];
    if (!body || !Array.isArray(given)) return undefined;
    const accounts = present(...given.map((each) => textAt(each))).map((uid) => ({ oauth_uid: uid }));
    // Nobody is named: it is news for nobody.
    if (accounts.length === 0) return [];
    // Equal bodies are different news, so there is no id.
    return [{ names: ["list_folder"], accounts, data: body }];
  },
};

const shopSuffix = /\.myshopify\.com$/;

export const shopify: AppService = {
  name: "shopify",
  slugs: ["shopify"],
  scheme: "shopify",
  secret: "the Client secret of the app (Settings)",
  addressedBy: ["shop_id"],
  steps: [
    "Subscribe to topics with the app's shopify.app.toml or the Admin API, with the URL as address (uri).",
    "Every shop that installs the app sends its events there.",
  ],
  read(request) {
    const topic = header(request, "x-shopify-topic");
    const shop = header(request, "x-shopify-shop-domain")?.replace(shopSuffix, "");
    if (topic === undefined || shop === undefined) return undefined;
    const id = header(request, "x-shopify-webhook-id");
    const accounts = [{ shop_id: shop }];
    return [{ ...(id !== undefined && { id }), names: [topic], accounts, data: request.event }];
  },
};

export const github: AppService = {
  name: "github",
  slugs: ["github"],
  scheme: "github",
  secret: "the Webhook secret (a text that you choose)",
  addressedBy: ["installation_id"],
  steps: [
    "Open the GitHub App (Settings, Developer settings, GitHub Apps, Edit).",
    "Webhook: tick Active, paste the URL and the secret, and save.",
    "Permissions & events: subscribe to events, such as Issues.",
  ],
  read(request) {
    const name = header(request, "x-github-event");
    const payload = formFields(request)?.["payload"];
    const body = payload === undefined ? bodyObject(request) : parseObject(payload);
    if (!body || name === undefined) return undefined;
    const id = header(request, "x-github-delivery");
    const action = textAt(body, "action");
    const installation = textAt(body, "installation", "id");
    return [
      {
        ...(id !== undefined && { id }),
        names: present(name, action === undefined ? undefined : `${name}.${action}`),
        accounts: present(installation).map((each) => ({ installation_id: each })),
        data: body,
      },
    ];
  },
};
