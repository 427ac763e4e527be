import type { SourceView } from "../api/api.ts";
import { presentProps } from "@x/components";
import { XError, effectiveComponent, withScheduleWarnings, type Component, type Source } from "@x/model";
import type { Store } from "@x/store";
import type { AppHooks } from "./app-hooks.ts";
import { isEndpointChanged, shownSource } from "./source-record.ts";

/** Reads sources and their components for clients. */
export interface SourceViews {
  /** The user's own source. Rejects with `not_found` for a source of another user. */
  own(id: string, userId: string): Promise<Source>;
  /** The component as saved, without dynamic props. Rejects with `not_found`. */
  savedComponent(id: string): Promise<Component>;
  /** The source as clients see it, with its saved component. */
  show(source: Source, saved: Component): Promise<SourceView>;
}

export function createSourceViews(
  store: Pick<Store, "source" | "component">,
  endpointUrl: (key: string) => string,
  {
    now,
    endpointBase,
    appHooks,
  }: { readonly now: () => number; readonly endpointBase: string; readonly appHooks: Pick<AppHooks, "shown"> },
): SourceViews {
  return {
    async own(id, userId) {
      // The store has workflows among the sources.
      const source = id.startsWith("dc_") ? await store.source(id) : undefined;
      if (source?.userId !== userId) throw new XError("not_found", ["source", id]);
      return source;
    },
    async savedComponent(id) {
      const component = await store.component(id);
      if (!component) throw new XError("not_found", ["component", id]);
      return component;
    },
    async show(source, saved) {
      const shown = shownSource(source, endpointUrl);
      const { shape } = effectiveComponent(saved, source.dynamicProps);
      const configuredProps = presentProps(
        shape,
        source.configuredProps,
        shown.endpoints,
        source.appEvents && (await appHooks.shown(source)),
      );
      const component = withScheduleWarnings(saved, source.configuredProps, now());
      return { source: shown, component, configuredProps, endpointChanged: isEndpointChanged(source, endpointBase) };
    },
  };
}
