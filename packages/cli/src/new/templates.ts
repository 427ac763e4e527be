import { actionTemplate } from "./action.ts";
import { appTemplate } from "./app.ts";
import { httpTemplate } from "./http.ts";
import { pollingTemplate } from "./polling.ts";
import type { Template } from "./template.ts";
import { timerTemplate } from "./timer.ts";
import { webhookTemplate } from "./webhook.ts";

/** Every template, the simplest first. */
export const templates: readonly Template[] = [
  timerTemplate,
  httpTemplate,
  pollingTemplate,
  webhookTemplate,
  appTemplate,
  actionTemplate,
];
