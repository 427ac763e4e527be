import type { KnownService } from "./service.ts";

/** Known services, from their public documentation. */
export const services: readonly KnownService[] = [
  {
    name: "github",
    label: "GitHub",
    apps: [],
    server: {
      authorizeUrl: "https://github.com/login/oauth/authorize",
      tokenUrl: "https://github.com/login/oauth/access_token",
      deviceUrl: "https://github.com/login/device/code",
      scopes: ["repo"],
    },
    docs: "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
  },
];
