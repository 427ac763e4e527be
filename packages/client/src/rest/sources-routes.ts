// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Comparison, DeployComparison, Execution, NewSource, Source } from "./sources.ts";
import type { DynamicProps, Options } from "./components.ts";
import type { Json } from "../basics.ts";
import type { PageInfo } from "./envelope.ts";

export interface SourcesRoutes {
  /** Ask for the choices of a prop of a source. */
  readonly "POST /sources/{id}/configure": {
    readonly path: { readonly id: string };
    readonly body: {
      /** The name of a prop with options. */
      readonly prop_name: string;
      /** An integer of at least 0. */
      readonly page?: number | undefined;
      /** The unchanged context of the previous answer, or null. */
      readonly prev_context?: Json | undefined;
      /** What the user typed, as text of at most 4000 characters. */
      readonly query?: string | undefined;
      /** An object with prop values. */
      readonly configured_props?: { readonly [name: string]: Json } | undefined;
      /** The id of dynamic props (dyp_…) */
      readonly dynamic_props_id?: string | undefined;
    };
    readonly answer: Options;
  };
  /** Ask the component of a source for the props that it adds. */
  readonly "POST /sources/{id}/props": {
    readonly path: { readonly id: string };
    readonly body?: {
      /** An object with prop values. */
      readonly configured_props?: { readonly [name: string]: Json } | undefined;
      /** The id of dynamic props (dyp_…) */
      readonly dynamic_props_id?: string | undefined;
    } | undefined;
    readonly answer: DynamicProps;
  };
  /** List sources, newest first. */
  readonly "GET /users/me/sources": {
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** A cursor from page_info. */
      readonly after?: string | undefined;
      /** A cursor from page_info. */
      readonly before?: string | undefined;
      /** The slug of an app: only sources that listen to its events. */
      readonly app?: string | undefined;
      /** Words; each is in the name or the slug, or begins the id, in any case. */
      readonly q?: string | undefined;
      /** "active", "paused" or "failing" */
      readonly status?: "active" | "paused" | "failing" | undefined;
      /** "state" */
      readonly expand?: "state" | undefined;
      /** At most 100 ids, separated by commas; not with q, status or app. */
      readonly ids?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly Source[];
    };
  };
  /** Deploy a source. */
  readonly "POST /sources": {
    readonly body?: {
      /** The id of a saved component (sc_…) */
      readonly component_id?: string | undefined;
      /** The key of a saved component, or of one in the registry. */
      readonly key?: string | undefined;
      /** The code of a component, as text that is not empty. */
      readonly component_code?: string | undefined;
      /** The texts of a component's files, by their paths relative to a common folder. */
      readonly component_files?: { readonly [name: string]: string } | undefined;
      /** Which of component_files has the component. */
      readonly component_entry?: string | undefined;
      /** The URL of a component's code. */
      readonly component_url?: string | undefined;
      /** A name of 1 to 256 characters. */
      readonly name?: string | undefined;
      /** An object with prop values. */
      readonly configured_props?: { readonly [name: string]: Json } | undefined;
      /** An object with lists of texts by prop, each read by the type of its prop. */
      readonly prop_texts?: { readonly [name: string]: readonly string[] } | undefined;
      /** An object with ids of accounts (apn_…) by app, or by app prop. */
      readonly accounts?: { readonly [name: string]: string } | undefined;
      /** The id of dynamic props (dyp_…) */
      readonly dynamic_props_id?: string | undefined;
      /** "add" (default) or "update" */
      readonly if_exists?: "add" | "update" | undefined;
      /** True or false. */
      readonly emit_on_deploy?: boolean | undefined;
      /** An absolute http or https URL. */
      readonly webhook_url?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: NewSource;
    };
  };
  /** Say what a deploy by name would do. */
  readonly "POST /sources/compare": {
    readonly body?: {
      /** The id of a saved component (sc_…) */
      readonly component_id?: string | undefined;
      /** The key of a saved component, or of one in the registry. */
      readonly key?: string | undefined;
      /** The code of a component, as text that is not empty. */
      readonly component_code?: string | undefined;
      /** The texts of a component's files, by their paths relative to a common folder. */
      readonly component_files?: { readonly [name: string]: string } | undefined;
      /** Which of component_files has the component. */
      readonly component_entry?: string | undefined;
      /** The URL of a component's code. */
      readonly component_url?: string | undefined;
      /** A name of 1 to 256 characters. */
      readonly name?: string | undefined;
      /** An object with prop values. */
      readonly configured_props?: { readonly [name: string]: Json } | undefined;
      /** An object with lists of texts by prop, each read by the type of its prop. */
      readonly prop_texts?: { readonly [name: string]: readonly string[] } | undefined;
      /** An object with ids of accounts (apn_…) by app, or by app prop. */
      readonly accounts?: { readonly [name: string]: string } | undefined;
      /** The id of dynamic props (dyp_…) */
      readonly dynamic_props_id?: string | undefined;
      /** "add" (default) or "update" */
      readonly if_exists?: "add" | "update" | undefined;
      /** True or false. */
      readonly emit_on_deploy?: boolean | undefined;
      /** An absolute http or https URL. */
      readonly webhook_url?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: DeployComparison;
    };
  };
  /** Read a source. */
  readonly "GET /sources/{id}": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** "state" */
      readonly expand?: "state" | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Source;
    };
  };
  /** Replace a source; absent fields get their defaults. */
  readonly "PUT /sources/{id}": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** "true" or "false" */
      readonly ignore_hook_errors?: boolean | undefined;
    } | undefined;
    readonly body?: {
      /** The id of a saved component (sc_…) */
      readonly component_id?: string | undefined;
      /** The key of a saved component, or of one in the registry. */
      readonly key?: string | undefined;
      /** The code of a component, as text that is not empty. */
      readonly component_code?: string | undefined;
      /** The texts of a component's files, by their paths relative to a common folder. */
      readonly component_files?: { readonly [name: string]: string } | undefined;
      /** Which of component_files has the component. */
      readonly component_entry?: string | undefined;
      /** The URL of a component's code. */
      readonly component_url?: string | undefined;
      /** A name of 1 to 256 characters. */
      readonly name?: string | undefined;
      /** An object with prop values. */
      readonly configured_props?: { readonly [name: string]: Json } | undefined;
      /** An object with lists of texts by prop, each read by the type of its prop. */
      readonly prop_texts?: { readonly [name: string]: readonly string[] } | undefined;
      /** An object with ids of accounts (apn_…) by app, or by app prop. */
      readonly accounts?: { readonly [name: string]: string } | undefined;
      /** The id of dynamic props (dyp_…) */
      readonly dynamic_props_id?: string | undefined;
      /** True or false. */
      readonly active?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Source;
    };
  };
  /** Change a source; absent fields stay. */
  readonly "PATCH /sources/{id}": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** "true" or "false" */
      readonly ignore_hook_errors?: boolean | undefined;
    } | undefined;
    readonly body?: {
      /** The id of a saved component (sc_…) */
      readonly component_id?: string | undefined;
      /** The key of a saved component, or of one in the registry. */
      readonly key?: string | undefined;
      /** The code of a component, as text that is not empty. */
      readonly component_code?: string | undefined;
      /** The texts of a component's files, by their paths relative to a common folder. */
      readonly component_files?: { readonly [name: string]: string } | undefined;
      /** Which of component_files has the component. */
      readonly component_entry?: string | undefined;
      /** The URL of a component's code. */
      readonly component_url?: string | undefined;
      /** A name of 1 to 256 characters. */
      readonly name?: string | undefined;
      /** An object with prop values. */
      readonly configured_props?: { readonly [name: string]: Json } | undefined;
      /** An object with lists of texts by prop, each read by the type of its prop. */
      readonly prop_texts?: { readonly [name: string]: readonly string[] } | undefined;
      /** An object with ids of accounts (apn_…) by app, or by app prop. */
      readonly accounts?: { readonly [name: string]: string } | undefined;
      /** The id of dynamic props (dyp_…) */
      readonly dynamic_props_id?: string | undefined;
      /** True or false. */
      readonly active?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Source;
    };
  };
  /** Delete a source. */
  readonly "DELETE /sources/{id}": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** "true" or "false" */
      readonly ignore_hook_errors?: boolean | undefined;
    } | undefined;
    readonly answer: undefined;
  };
  /** Say what a change of a source would change. */
  readonly "POST /sources/{id}/compare": {
    readonly path: { readonly id: string };
    readonly body?: {
      /** The id of a saved component (sc_…) */
      readonly component_id?: string | undefined;
      /** The key of a saved component, or of one in the registry. */
      readonly key?: string | undefined;
      /** The code of a component, as text that is not empty. */
      readonly component_code?: string | undefined;
      /** The texts of a component's files, by their paths relative to a common folder. */
      readonly component_files?: { readonly [name: string]: string } | undefined;
      /** Which of component_files has the component. */
      readonly component_entry?: string | undefined;
      /** The URL of a component's code. */
      readonly component_url?: string | undefined;
      /** A name of 1 to 256 characters. */
      readonly name?: string | undefined;
      /** An object with prop values. */
      readonly configured_props?: { readonly [name: string]: Json } | undefined;
      /** An object with lists of texts by prop, each read by the type of its prop. */
      readonly prop_texts?: { readonly [name: string]: readonly string[] } | undefined;
      /** An object with ids of accounts (apn_…) by app, or by app prop. */
      readonly accounts?: { readonly [name: string]: string } | undefined;
      /** The id of dynamic props (dyp_…) */
      readonly dynamic_props_id?: string | undefined;
      /** True or false. */
      readonly active?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Comparison;
    };
  };
  /** Run the hooks deactivate and activate of a source, which registers its endpoints anew. */
  readonly "POST /sources/{id}/reactivate": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** "true" or "false" */
      readonly ignore_hook_errors?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Source;
    };
  };
  /** Run a source now. */
  readonly "POST /sources/{id}/run": {
    readonly path: { readonly id: string };
    readonly body?: {
      /** Any JSON value. */
      readonly event?: Json | undefined;
      /** Epoch milliseconds; without `event`, the time of the timer event. */
      readonly tick_at_ms?: number | undefined;
      /** True or false. */
      readonly wait?: boolean | undefined;
      /** True or false. */
      readonly force?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Execution;
    };
  };
  /** Run a source now, by its other name. */
  readonly "POST /sources/{id}/event": {
    readonly path: { readonly id: string };
    readonly body?: {
      /** Any JSON value. */
      readonly event?: Json | undefined;
      /** Epoch milliseconds; without `event`, the time of the timer event. */
      readonly tick_at_ms?: number | undefined;
      /** True or false. */
      readonly wait?: boolean | undefined;
      /** True or false. */
      readonly force?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Execution;
    };
  };
}
