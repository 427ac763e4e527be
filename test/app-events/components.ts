/** Components that listen to events of apps, as authors write them. */

/** Messages of chosen channels, without those of bots. */
export const slackMessages = `
const slack = { type: "app", app: "slack", methods: { greet() { return this.$auth.team_id; } } };
export default {
  key: "slack-messages", name: "New message", version: "0.0.1", type: "source", dedupe: "unique",
  props: {
    slack,
    channels: { type: "string[]", optional: true },
    ignoreBots: { type: "boolean", default: true },
    slackApphook: {
      type: "$.interface.apphook",
      appProp: "slack",
      async eventNames() { return this.channels?.length ? this.channels.map((id) => "message:" + id) : ["message"]; },
    },
  },
  run(event) {
    if (event.subtype) return;
    if (this.ignoreBots && event.bot_id) return;
    event.team = this.slack.greet();
    this.$emit(event, { id: event.client_msg_id || event.event_ts, summary: event.text, ts: event.event_ts });
  },
};`;

/** Pressed buttons. */
export const slackActions = `
export default {
  key: "slack-actions", name: "New interaction", version: "0.0.1", dedupe: "unique",
  props: {
    slack: { type: "app", app: "slack" },
    slackApphook: { type: "$.interface.apphook", appProp: "slack", eventNames: ["interaction_events:C1:ok"] },
  },
  run(event) { this.$emit({ user: event.user.id, action: event.actions[0].action_id }, { id: event.trigger_id }); },
};`;

const zoomSource = (app: string, names: string): string => `
export default {
  key: "${app}-meetings", name: "Meetings", version: "0.0.1", dedupe: "unique",
  props: {
    ${app}: { type: "app", app: "${app}" },
    zoomApphook: { type: "$.interface.apphook", appProp: "${app}", eventNames: ${names} },
  },
  run(event) {
    const { payload } = event;
    this.$emit({ event: event.event, topic: payload.object.topic }, { id: payload.object.uuid, summary: payload.object.topic });
  },
};`;
export const zoomMeetings: string = zoomSource("zoom", `["meeting.created.by_me"]`);
export const zoomAdminMeetings: string = zoomSource("zoom_admin", `["meeting.created"]`);

/** Messages of chosen channels: the gateway is bridged. */
export const discordMessages = `
export default {
  key: "discord-messages", name: "New message", version: "0.0.1", dedupe: "unique",
  props: {
    discord: { type: "app", app: "discord" },
    channels: { type: "$.discord.channel[]" },
    discordApphook: { type: "$.interface.apphook", appProp: "discord", eventNames() { return this.channels; } },
  },
  run(event) {
    if (event.guildID !== this.discord.$auth.guild_id) return;
    this.$emit(event, { id: event.id, summary: event.content, ts: event.createdTimestamp });
  },
};`;

export const stravaActivities = `
export default {
  key: "strava-activities", name: "New activity", version: "0.0.1", dedupe: "unique",
  props: {
    strava: { type: "app", app: "strava" },
    stravaApphook: { type: "$.interface.apphook", appProp: "strava", eventNames: ["activity.create"] },
  },
  run(event) { this.$emit({ activity: event.object_id }, { id: event.object_id, ts: event.event_time * 1000 }); },
};`;

/** Only learns that something changed, and reads what. */
export const dropboxFiles = `
export default {
  key: "dropbox-files", name: "New file", version: "0.0.1",
  props: {
    dropbox: { type: "app", app: "dropbox" },
    dropboxApphook: { type: "$.interface.apphook", appProp: "dropbox", static: [] },
    db: "$.service.db",
  },
  hooks: { deploy() { this.db.set("cursor", 0); } },
  run() {
    const cursor = this.db.get("cursor") + 1;
    this.db.set("cursor", cursor);
    this.$emit({ cursor, account: this.dropbox.$auth.oauth_uid });
  },
};`;

export const shopifyOrders = `
export default {
  key: "shopify-orders", name: "New order", version: "0.0.1", dedupe: "unique",
  props: {
    shopify: { type: "app", app: "shopify" },
    shopifyApphook: { type: "$.interface.apphook", appProp: "shopify", eventNames() { return ["orders/create"]; } },
  },
  run(event) { this.$emit(event.body, { id: event.headers["x-shopify-webhook-id"] }); },
};`;

export const githubIssues = `
export default {
  key: "github-issues", name: "New issue", version: "0.0.1", dedupe: "unique",
  props: {
    github: { type: "app", app: "github" },
    githubApphook: { type: "$.interface.apphook", appProp: "github", eventNames: ["issues.opened"] },
  },
  run(event) { this.$emit({ action: event.action, installation: event.installation.id }, { id: event.installation.id }); },
};`;
