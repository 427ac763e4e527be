import type { Json } from "@x/model";
import type { Address, AppEvent } from "../app-event.ts";
import { bodyObject, type Fields, formFields, parseObject, present, textAt } from "./body.ts";
import type { AppService, ReadableRequest } from "./service.ts";

/** Kinds of messages by the kind of their channel. */
const messageKinds: { readonly [type: string]: string } = {
  im: "message.im",
  channel: "message.channels",
  group: "message.groups",
  mpim: "message.mpim",
};

const privateChannels: ReadonlySet<string> = new Set(["im", "mpim", "group"]);

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const teamOf = (team: string | undefined): readonly Address[] => (team === undefined ? [] : [{ team_id: team }]);

/** Who may see a message of a private conversation. */
function membersOf(team: string | undefined, authorizations: Json | undefined): readonly Address[] | undefined {
  if (team === undefined || !Array.isArray(authorizations)) return undefined;
  const members = authorizations.map((each) => textAt(each, "user_id")).filter((each) => each !== undefined);
  return members.length === 0
    ? undefined
    : members.flatMap((user) => [
        { team_id: team, oauth_uid: user },
        { team_id: team, bot_user_id: user },
      ]);
}

function readCallback(body: Fields, allUsers: boolean): AppEvent | undefined {
  const { event, team_id: team, event_id: id, authorizations } = body;
  if (!isObject(event)) return undefined;
  const type = textAt(event, "type");
  if (type === undefined) return undefined;
  const channelType = textAt(event, "channel_type");
  const channel = textAt(event, "channel") ?? textAt(event, "channel", "id") ?? textAt(event, "item", "channel");
  const kind = type === "message" && channelType !== undefined ? messageKinds[channelType] : undefined;
  // Reactions name no kind of channel; the ids of direct messages begin with D.
  const isPrivate = channelType === undefined ? channel?.startsWith("D") === true : privateChannels.has(channelType);
  const teamId = textAt(team);
  const everybody = isPrivate && allUsers ? [] : teamOf(teamId);
  const eventId = textAt(id);
  return {
    ...(eventId !== undefined && { id: eventId }),
    names: present(type, kind, channel, channel === undefined ? undefined : `${type}:${channel}`),
    accounts: isPrivate ? (membersOf(teamId, authorizations) ?? everybody) : everybody,
    data: event,
  };
}

const interaction = "interaction_events";

function readInteraction(form: { readonly [name: string]: string }): AppEvent | undefined {
  const { payload } = form;
  const data: Fields | undefined = payload === undefined ? { ...form } : parseObject(payload);
  if (!data) return undefined;
  const team = textAt(data, "team", "id") ?? textAt(data, "team_id") ?? textAt(data, "user", "team_id");
  const channel = textAt(data, "channel", "id") ?? textAt(data, "channel_id");
  const { actions } = data;
  const actionIds = Array.isArray(actions) ? present(...actions.map((each) => textAt(each, "action_id"))) : [];
  const suffixes = [
    ...(channel === undefined ? [] : [channel]),
    ...actionIds,
    ...(channel === undefined ? [] : actionIds.map((action) => `${channel}:${action}`)),
  ];
  const id = textAt(data, "trigger_id");
  return {
    ...(id !== undefined && { id }),
    names: [interaction, ...suffixes.map((suffix) => `${interaction}:${suffix}`)],
    accounts: teamOf(team),
    data,
  };
}

function read(request: ReadableRequest): readonly AppEvent[] | undefined {
  const form = formFields(request);
  if (form) {
    const event = readInteraction(form);
    return event && [event];
  }
  const body = bodyObject(request);
  if (!body) return undefined;
  // Others, such as app_rate_limited, are about the endpoint itself.
  if (body["type"] !== "event_callback") return [];
  const event = readCallback(body, request.allUsers);
  return event && [event];
}

export const slack: AppService = {
  name: "slack",
  slugs: ["slack", "slack_v2"],
  scheme: "slack",
  secret: "the Signing Secret (Basic Information, App Credentials)",
  addressedBy: ["team_id"],
  steps: [
    "Open api.slack.com/apps, then your app.",
    "Event Subscriptions: turn it on, and paste the URL as Request URL. Slack sends a challenge, which is answered.",
    "Subscribe to bot events there, such as message.channels, save, and install the app again when Slack asks for it.",
    "Interactivity & Shortcuts: paste the same URL, for buttons and menus.",
  ],
  read,
};
