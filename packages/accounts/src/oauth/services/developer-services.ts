import type { KnownService } from "./service.ts";

/** Services for people who make software. */
export const developerServices: readonly KnownService[] = [
  {
    name: "github",
    label: "GitHub",
    apps: ["github_oauth"],
    server: {
      authorizeUrl: "https://github.com/login/oauth/authorize",
      tokenUrl: "https://github.com/login/oauth/access_token",
      deviceUrl: "https://github.com/login/device/code",
    },
    docs: "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
    note: "Tokens of OAuth apps do not expire; those of GitHub Apps do",
  },
  {
    name: "gitlab",
    label: "GitLab",
    apps: ["gitlab_developer_app"],
    server: {
      issuer: "https://gitlab.com",
      authorizeUrl: "https://gitlab.com/oauth/authorize",
      tokenUrl: "https://gitlab.com/oauth/token",
      deviceUrl: "https://gitlab.com/oauth/authorize_device",
      revokeUrl: "https://gitlab.com/oauth/revoke",
    },
    docs: "https://docs.gitlab.com/api/oauth2/",
  },
  {
    name: "bitbucket",
    label: "Bitbucket",
    apps: [],
    server: {
      authorizeUrl: "https://bitbucket.org/site/oauth2/authorize",
      tokenUrl: "https://bitbucket.org/site/oauth2/access_token",
      clientAuth: "basic",
      pkce: false,
    },
    docs: "https://developer.atlassian.com/cloud/bitbucket/oauth-2/",
    note: "Scopes are those of the consumer",
  },
  {
    name: "atlassian",
    label: "Atlassian (Jira, Confluence)",
    apps: ["jira", "confluence", "jira_service_desk"],
    server: {
      authorizeUrl: "https://auth.atlassian.com/authorize",
      tokenUrl: "https://auth.atlassian.com/oauth/token",
      authorizeParams: { audience: "api.atlassian.com", prompt: "consent" },
    },
    docs: "https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/",
    note: "Ask for the scope offline_access",
  },
  {
    name: "linear",
    label: "Linear",
    apps: ["linear_app"],
    server: {
      authorizeUrl: "https://linear.app/oauth/authorize",
      tokenUrl: "https://api.linear.app/oauth/token",
      revokeUrl: "https://api.linear.app/oauth/revoke",
      scopeSeparator: ",",
    },
    docs: "https://linear.app/developers/oauth-2-0-authentication",
  },
];
