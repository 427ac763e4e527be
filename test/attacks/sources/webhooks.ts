import type { Attack } from "../attack.ts";

/** The URL of a webhook that must be refused at its creation. */
export interface HostileWebhook extends Attack {
  readonly url: string;
}

const urls =
  "http://10.0.0.1/ http://169.254.169.254/latest http://2852039166/ http://[::ffff:10.0.0.1]/ http://192.168.1.1:80/ file:///etc/passwd ftp://a.example/ javascript:1 //a.example/ http:// https:/// http://[fe80::1]/ http://[fc00::1]/ http://224.0.0.1/ data:,x".split(
    " ",
  );

export const hostileWebhooks: readonly HostileWebhook[] = [...urls, `http://a.example/${"x".repeat(20_000)}`].map(
  (url, index) => ({ id: `webhook-url-${index}`, class: "webhooks", promise: "webhooks-guarded", url }),
);
