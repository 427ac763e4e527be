// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Json } from "../basics.ts";

export interface Component {
  /** Starts with `sc_`. */
  readonly id: string;
  /** The code as it was sent. */
  readonly code: string;
  /** SHA-256 of the code. */
  readonly code_hash: string;
  /** From the code. */
  readonly name: string;
  /** From the code, in any form. */
  readonly version: string;
  /** From the code; null when it has none. */
  readonly key: string | null;
  /** From the code; absent when it has none. */
  readonly description?: string;
  /** Its props in the order of the code; functions are replaced by flags such as `remoteOptions`. */
  readonly configurable_props: readonly {
    /** As in `this.<name>`. */
    readonly name: string;
    /** For example `string[]` or `$.interface.timer`. */
    readonly type: string;
    readonly label?: string;
    readonly description?: string;
    readonly optional?: boolean;
    /** Any JSON value. */
    readonly default?: Json;
  }[];
  /** The origin of the code; null when unknown. */
  readonly component_url: string | null;
  /** What its events look like; absent when it declares neither `emits` nor `sampleEmit`. */
  readonly emits?: {
    /** JSON Schema, draft 7; `{}` when nothing is known. */
    readonly schema: { readonly [name: string]: Json };
    /** `emits`: the component declares it; `sampleEmit`: inferred from its example. */
    readonly from: "emits" | "sampleEmit";
  };
  /** The exact npm packages in its bundle, with their dependencies; absent when there are none. */
  readonly packages?: readonly {
    /** Its name in the registry. */
    readonly name: string;
    /** The exact version, which stays over later updates. */
    readonly version: string;
    /** Integrity of its archive; null for a package inside another one, and for one of the author's own folder. */
    readonly integrity: string | null;
    /** How the code names it; absent for what only packages need. */
    readonly requested?: string;
    /** The reason for the version of a package that the code imports. */
    readonly from?: "import" | "package.json" | "latest" | "node_modules";
    /** The version, range or tag that was asked for; absent when nothing was. */
    readonly range?: string;
    /** Path of the package.json that has the range, relative to the component's root. */
    readonly manifest?: string;
  }[];
  /** Declarations that have no effect, or not the expected one; absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
}

export interface ComponentWarning {
  /** Name of the rule. */
  readonly rule: string;
  /** JSON pointer into the component. */
  readonly path: string;
  /** What it is, and what to write. */
  readonly message: string;
  /** The author's file, where it is known. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Of `stored-value-kept`, after an update: the value that the source keeps; a secret is `{__secret: true}`. */
  readonly stored?: Json;
  /** Of `stored-value-kept`: the default of the new version, which null in place of a value takes. */
  readonly default?: Json;
}

export interface DynamicProps {
  /** Console output of the component. */
  readonly observations: readonly LogRecord[];
  /** Errors of the component. */
  readonly errors: readonly {
    /** For example `component_threw`, `sandbox_timeout` or `invalid_result`. */
    readonly code: string;
    /** Name of the thrown error. */
    readonly name: string;
    /** Its message. */
    readonly message: string;
    /** Where it was thrown, in the author's files. */
    readonly stack: string;
    /** What may help against it. */
    readonly hint?: string;
  }[];
  /** Null when `additionalProps` failed. */
  readonly dynamic_props: null | {
    /** Starts with `dyp_`. */
    readonly id: string;
    /** The props of the component, with those that it adds. */
    readonly configurable_props: readonly {
      /** As in `this.<name>`. */
      readonly name: string;
      /** For example `string[]` or `$.interface.timer`. */
      readonly type: string;
      readonly label?: string;
      readonly description?: string;
      readonly optional?: boolean;
      /** Any JSON value. */
      readonly default?: Json;
    }[];
  };
}

export interface LogRecord {
  /** `console.log`, `console.warn`, …; `err` for an error. */
  readonly k: string;
  /** Epoch milliseconds. */
  readonly ts: number;
  /** The text as a console shows it. */
  readonly msg?: string;
  /** The arguments. */
  readonly data?: readonly Json[];
  readonly err?: {
    /** Its name. */
    readonly name: string;
    /** Its message. */
    readonly message: string;
    /** Where it was thrown. */
    readonly stack: string;
    /** What may help against it. */
    readonly hint?: string;
  };
  /** The run or hook that left it. */
  readonly execution_id: string;
  /** The hook that left it, for example `hook.deploy`. */
  readonly context?: string;
}

export interface Options {
  readonly options: readonly {
    /** The text to show. */
    readonly label: string;
    /** The value to configure. */
    readonly value: Json;
  }[];
  /** The plain list, when every choice is text. */
  readonly string_options: readonly string[] | null;
  /** For `prev_context` of the next page; null when there is none. */
  readonly context: Json;
  /** Console output of the component. */
  readonly observations: readonly LogRecord[];
  /** Errors of the component. */
  readonly errors: readonly {
    /** For example `component_threw`, `sandbox_timeout` or `invalid_result`. */
    readonly code: string;
    /** Name of the thrown error. */
    readonly name: string;
    /** Its message. */
    readonly message: string;
    /** Where it was thrown, in the author's files. */
    readonly stack: string;
    /** What may help against it. */
    readonly hint?: string;
  }[];
}
