import type { AppListener, Source } from "@x/client";

import { request } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import type { DataOf } from "../api/shapes.ts";
import { appHooksOf, type HookProp, isAppHook } from "./app-hooks.ts";

type Listening = Pick<Source, "id" | "active" | "component_id" | "configured_props">;

const maxSources = 20_000;

/** The sources that listen to events of apps, or of one, by app; also of apps without an endpoint, whose answer would name them. */
export async function readListening(
  signal: AbortSignal,
  app?: string,
): Promise<ReadonlyMap<string, readonly AppListener[]>> {
  const include = "id,active,component_id,configured_props";
  const sources = await readAll<Listening>("/users/me/sources", { include, app }, maxSources, signal);
  const listening = sources.filter(({ configured_props: props }) => Object.values(props).some(isAppHook));
  const ids = [...new Set(listening.map(({ component_id: id }) => id))];
  const props = new Map(
    await Promise.all(
      ids.map(async (id) => {
        const options = { query: { include: "configurable_props" }, signal };
        const { data } = await request<DataOf<{ readonly configurable_props: readonly HookProp[] }>>(
          "GET",
          `/components/${id}`,
          options,
        );
        return [id, data.configurable_props] as const;
      }),
    ),
  );
  const found = listening.flatMap(({ id, active, component_id: component, configured_props: configured }) =>
    appHooksOf(configured, props.get(component) ?? []).map(({ app, prop, names, account }) => {
      const listener: AppListener = { source_id: id, prop, event_names: names, account_id: account, active };
      return { app, listener };
    }),
  );
  const apps = [...new Set(found.map(({ app }) => app))];
  return new Map(apps.map((slug) => [slug, found.filter(({ app }) => app === slug).map(({ listener }) => listener)]));
}
