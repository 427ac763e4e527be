import type { KnownService } from "./service.ts";

/** Services for messages, posts and media. */
export const socialServices: readonly KnownService[] = [
  {
    name: "discord",
    label: "Discord",
    apps: [],
    server: {
      authorizeUrl: "https://discord.com/oauth2/authorize",
      tokenUrl: "https://discord.com/api/oauth2/token",
      revokeUrl: "https://discord.com/api/oauth2/token/revoke",
    },
    docs: "https://discord.com/developers/docs/topics/oauth2",
  },
  {
    name: "facebook",
    label: "Facebook",
    apps: ["facebook_pages", "facebook_groups", "facebook_lead_ads", "instagram_business"],
    server: {
      authorizeUrl: "https://www.facebook.com/dialog/oauth",
      tokenUrl: "https://graph.facebook.com/oauth/access_token",
      scopeSeparator: ",",
    },
    docs: "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
    note: "There are no refresh tokens: tokens of 60 days have to be connected again",
  },
  {
    name: "linkedin",
    label: "LinkedIn",
    apps: ["linkedin_ads"],
    server: {
      authorizeUrl: "https://www.linkedin.com/oauth/v2/authorization",
      tokenUrl: "https://www.linkedin.com/oauth/v2/accessToken",
      revokeUrl: "https://www.linkedin.com/oauth/v2/revoke",
      pkce: false,
    },
    docs: "https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow",
    note: "Most clients get no refresh tokens: tokens of 60 days have to be connected again",
  },
  {
    name: "reddit",
    label: "Reddit",
    apps: [],
    server: {
      authorizeUrl: "https://www.reddit.com/api/v1/authorize",
      tokenUrl: "https://www.reddit.com/api/v1/access_token",
      revokeUrl: "https://www.reddit.com/api/v1/revoke_token",
      clientAuth: "basic",
      pkce: false,
      authorizeParams: { duration: "permanent" },
    },
    docs: "https://github.com/reddit-archive/reddit/wiki/OAuth2",
  },
  {
    name: "spotify",
    label: "Spotify",
    apps: [],
    server: {
      authorizeUrl: "https://accounts.spotify.com/authorize",
      tokenUrl: "https://accounts.spotify.com/api/token",
      clientAuth: "basic",
    },
    docs: "https://developer.spotify.com/documentation/web-api/tutorials/code-flow",
  },
  {
    name: "strava",
    label: "Strava",
    apps: [],
    server: {
      authorizeUrl: "https://www.strava.com/oauth/authorize",
      tokenUrl: "https://www.strava.com/api/v3/oauth/token",
      scopeSeparator: ",",
      pkce: false,
    },
    authPaths: { oauth_uid: "athlete.id" },
    docs: "https://developers.strava.com/docs/authentication/",
  },
  {
    name: "twitch",
    label: "Twitch",
    apps: ["twitch_developer_app"],
    server: {
      issuer: "https://id.twitch.tv/oauth2",
      authorizeUrl: "https://id.twitch.tv/oauth2/authorize",
      tokenUrl: "https://id.twitch.tv/oauth2/token",
      deviceUrl: "https://id.twitch.tv/oauth2/device",
      revokeUrl: "https://id.twitch.tv/oauth2/revoke",
      pkce: false,
    },
    docs: "https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/",
  },
  {
    name: "twitter",
    label: "X (Twitter)",
    apps: ["twitter_v2", "x"],
    server: {
      authorizeUrl: "https://x.com/i/oauth2/authorize",
      tokenUrl: "https://api.x.com/2/oauth2/token",
      revokeUrl: "https://api.x.com/2/oauth2/revoke",
      clientAuth: "basic",
    },
    docs: "https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code",
    note: "Ask for the scope offline.access; refresh tokens are replaced at each use",
  },
];
