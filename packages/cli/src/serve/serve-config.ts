import { join } from "node:path";

import type { Logger, Runtime, UserRuntime } from "@x/runtime";
import { createApp } from "@x/server";

import { applyPlan } from "../apply/apply-plan.ts";
import { type ConfigFile, readConfigFile } from "../apply/config-file.ts";
import { planFor } from "../apply/make-plan.ts";
import { createRestClient } from "../client/rest-client.ts";
import { messageOf } from "../errors.ts";
import { type DeployedFile, registerWorkflows } from "./deploy-files.ts";

/** The files with workflows of a config. */
export const workflowFiles = ({ config, folder }: ConfigFile): string[] =>
  config.workflows.map((file) => join(folder, file));

/**
 * The runtime for requests: when its first user writes the record of the config's project, as `x apply` does before its first step,
 * the workflows that the config has by then are registered.
 */
export function registeringOnApply(runtime: Runtime, configured: ConfigFile, logger: Logger): Runtime {
  const { file, config } = configured;
  const register = async (): Promise<void> => {
    const now = await readConfigFile(file).catch((error: unknown) => {
      logger.warn("the config cannot be read; its workflows stay as they are", { error: messageOf(error) });
    });
    if (now) await registerWorkflows(runtime, workflowFiles(now));
  };
  const registering = (acting: UserRuntime, userId?: string): Pick<UserRuntime, "putProject"> => ({
    async putProject(name, input) {
      const isFirst = userId === undefined || userId === (await runtime.user()).user.id;
      if (isFirst && name === config.project) await register();
      return acting.putProject(name, input);
    },
  });
  return {
    ...runtime,
    ...registering(runtime),
    as(userId) {
      const acting = runtime.as(userId);
      return { ...acting, ...registering(acting, userId) };
    },
  };
}

/** Makes a runtime that has not started match a config, as `x apply` makes a service; resolves with the config's sources. */
export async function applyConfig(runtime: Runtime, file: ConfigFile): Promise<DeployedFile[]> {
  const app = createApp(runtime);
  const { user } = await runtime.user();
  // The requests stay in this process.
  const client = createRestClient("http://127.0.0.1", user.apiKey, (request) => app.fetch(request));
  const { plan, ...parts } = await planFor(file, client);
  const { config } = file;
  await applyPlan(plan, { ...parts, config, done: () => undefined });
  const deployed: DeployedFile[] = [];
  for (const { id } of await client.list("GET /users/me/sources", {})) {
    const view = await runtime.source(id);
    const { nameSlug } = view.source;
    if (!config.sources.some(({ name }) => name === nameSlug)) continue;
    const step = plan.steps.find(({ kind, name }) => kind === "source" && name === nameSlug);
    const change = step ? (step.action === "create" ? "new" : "updated") : "unchanged";
    deployed.push({ view, change });
  }
  return deployed.toReversed();
}
