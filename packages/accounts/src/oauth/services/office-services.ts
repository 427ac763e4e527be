import type { KnownService } from "./service.ts";

const slugs = (text: string): readonly string[] => text.split(" ");

const googleApps = slugs(
  "gmail google_analytics google_calendar google_classroom google_cloud google_contacts google_docs google_drive " +
    "google_forms google_my_business google_sheets google_slides google_tasks youtube_data_api",
);
const microsoftApps = slugs(
  "microsoft_azure microsoft_excel microsoft_onedrive microsoft_outlook microsoft_outlook_calendar " +
    "microsoft_sharepoint microsoft_teams microsoft_todo microsofttodo sharepoint",
);

/** Services for documents, mail and work in teams. */
export const officeServices: readonly KnownService[] = [
  {
    name: "google",
    label: "Google",
    apps: googleApps,
    server: {
      issuer: "https://accounts.google.com",
      authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
      tokenUrl: "https://oauth2.googleapis.com/token",
      deviceUrl: "https://oauth2.googleapis.com/device/code",
      revokeUrl: "https://oauth2.googleapis.com/revoke",
      // Only then a refresh token comes with every consent.
      authorizeParams: { access_type: "offline", prompt: "consent" },
    },
    docs: "https://developers.google.com/identity/protocols/oauth2/web-server",
    note: "A client that is being tested gets refresh tokens for 7 days; revocation ends all accounts of the person",
  },
  {
    name: "microsoft",
    label: "Microsoft",
    apps: microsoftApps,
    server: {
      authorizeUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
      tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
      deviceUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
    },
    docs: "https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow",
    note: "Ask for the scope offline_access; for one tenant give its addresses",
  },
  {
    name: "slack",
    label: "Slack",
    apps: ["slack_v2", "slack_bot"],
    server: {
      authorizeUrl: "https://slack.com/oauth/v2/authorize",
      tokenUrl: "https://slack.com/api/oauth.v2.access",
      scopeSeparator: ",",
      clientAuth: "basic",
      pkce: false,
    },
    // An app that asks for scopes of the user alone gets no token of a bot.
    tokensAt: "authed_user",
    authPaths: { oauth_uid: "authed_user.id", bot_user_id: "bot_user_id", team_id: "team.id" },
    docs: "https://docs.slack.dev/authentication/installing-with-oauth",
    note: "Scopes are those of the bot; for those of the user set authorize_params.user_scope and no scopes",
  },
  {
    name: "notion",
    label: "Notion",
    apps: [],
    server: {
      authorizeUrl: "https://api.notion.com/v1/oauth/authorize",
      tokenUrl: "https://api.notion.com/v1/oauth/token",
      clientAuth: "basic",
      pkce: false,
      authorizeParams: { owner: "user" },
    },
    sendsJson: true,
    authPaths: { oauth_uid: "owner.user.id", bot_id: "bot_id", workspace_id: "workspace_id" },
    docs: "https://developers.notion.com/reference/create-a-token",
  },
  {
    name: "airtable",
    label: "Airtable",
    apps: ["airtable_oauth"],
    server: {
      authorizeUrl: "https://airtable.com/oauth2/v1/authorize",
      tokenUrl: "https://airtable.com/oauth2/v1/token",
      clientAuth: "basic",
    },
    docs: "https://airtable.com/developers/web/api/oauth-reference",
    note: "Refresh tokens are replaced at each use, and expire after 60 days",
  },
  {
    name: "dropbox",
    label: "Dropbox",
    apps: [],
    server: {
      authorizeUrl: "https://www.dropbox.com/oauth2/authorize",
      tokenUrl: "https://api.dropboxapi.com/oauth2/token",
      authorizeParams: { token_access_type: "offline" },
    },
    authPaths: { oauth_uid: "account_id" },
    docs: "https://developers.dropbox.com/oauth-guide",
  },
  {
    name: "box",
    label: "Box",
    apps: [],
    server: {
      authorizeUrl: "https://account.box.com/api/oauth2/authorize",
      tokenUrl: "https://api.box.com/oauth2/token",
      revokeUrl: "https://api.box.com/oauth2/revoke",
    },
    docs: "https://developer.box.com/guides/authentication/oauth2/",
    note: "Refresh tokens are replaced at each use, and expire after 60 days",
  },
  {
    name: "zoom",
    label: "Zoom",
    apps: ["zoom_admin"],
    server: {
      authorizeUrl: "https://zoom.us/oauth/authorize",
      tokenUrl: "https://zoom.us/oauth/token",
      deviceUrl: "https://zoom.us/oauth/devicecode",
      revokeUrl: "https://zoom.us/oauth/revoke",
      clientAuth: "basic",
    },
    docs: "https://developers.zoom.us/docs/integrations/oauth/",
  },
  {
    name: "asana",
    label: "Asana",
    apps: [],
    server: {
      authorizeUrl: "https://app.asana.com/-/oauth_authorize",
      tokenUrl: "https://app.asana.com/-/oauth_token",
      revokeUrl: "https://app.asana.com/-/oauth_revoke",
    },
    authPaths: { oauth_uid: "data.gid" },
    docs: "https://developers.asana.com/docs/oauth",
  },
];
