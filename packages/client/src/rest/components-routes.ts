// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Component, DynamicProps, Options } from "./components.ts";
import type { Json } from "../basics.ts";
import type { PageInfo } from "./envelope.ts";

export interface ComponentsRoutes {
  /** Save a component. */
  readonly "POST /components": {
    readonly body?: {
      /** The code of a component, as text that is not empty. */
      readonly component_code?: string | undefined;
      /** The texts of a component's files, by their paths relative to a common folder. */
      readonly component_files?: { readonly [name: string]: string } | undefined;
      /** Which of component_files has the component. */
      readonly component_entry?: string | undefined;
      /** The URL of a component's code. */
      readonly component_url?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Component;
    };
  };
  /** List the components of the registry by key. */
  readonly "GET /components/registry": {
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** A cursor from page_info. */
      readonly after?: string | undefined;
      /** A cursor from page_info. */
      readonly before?: string | undefined;
      /** Words; each is in key, name or description, in any case. */
      readonly q?: string | undefined;
      /** The slug of an app. */
      readonly app?: string | undefined;
      /** "source" or "action" */
      readonly type?: "source" | "action" | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly {
        /** From the code. */
        readonly key: string;
        /** From the code; absent while the text alone does not show it. */
        readonly name?: string;
        /** From the code, as `name`. */
        readonly version?: string;
        /** From the code. */
        readonly description?: string;
        /** What it is. */
        readonly type: "source" | "action";
        /** Slugs of the apps whose accounts it needs. */
        readonly apps?: readonly string[];
        /** Its path in the registry. */
        readonly file: string;
        /** `known`: read by its text alone; it is evaluated when somebody asks for it, and in the background. */
        readonly state: "known" | "evaluated" | "refused";
        /** Starts with `sc_`; null until it is evaluated, and while it is refused. */
        readonly component_id: string | null;
        /** Why its current version is not served. */
        readonly problem?: {
          /** A code of the catalogue of errors. */
          readonly code: string;
          /** What is wrong. */
          readonly message: string;
        };
      }[];
      /** How much of the registry is known. */
      readonly progress: {
        /** Files with a known key. */
        readonly known: number;
        /** Files whose component is served. */
        readonly evaluated: number;
        /** Files that cannot be served. */
        readonly refused: number;
        /** Files that may be components. Grows while the folder is listed. */
        readonly total: number;
      };
    };
  };
  /** Read a component of the registry by its key. */
  readonly "GET /components/registry/{key}": {
    readonly path: { readonly key: string };
    readonly answer: {
      readonly data: Component;
    };
  };
  /** Read a component by its key or id. */
  readonly "GET /components/{key}": {
    readonly path: { readonly key: string };
    readonly answer: {
      readonly data: Component;
    };
  };
  /** Ask for the choices of a prop. */
  readonly "POST /components/configure": {
    readonly body: {
      /** The id (sc_…) or the key of a saved component. */
      readonly id: string;
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
  /** Ask a component for the props that it adds. */
  readonly "POST /components/props": {
    readonly body: {
      /** The id (sc_…) or the key of a saved component. */
      readonly id: string;
      /** An object with prop values. */
      readonly configured_props?: { readonly [name: string]: Json } | undefined;
      /** The id of dynamic props (dyp_…) */
      readonly dynamic_props_id?: string | undefined;
    };
    readonly answer: DynamicProps;
  };
}
