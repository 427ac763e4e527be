// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Json } from "../basics.ts";

export interface ServiceRoutes {
  /** List the processes that share the data, oldest first. */
  readonly "GET /nodes": {
    readonly answer: {
      readonly data: readonly {
        /** Differs after every start. */
        readonly id: string;
        /** When it began, epoch seconds. */
        readonly since: number;
        /** Sources and workflows that it runs. */
        readonly sources: number;
        /** Of the 1,024 slots that sources are divided into. */
        readonly slots: number;
        /** Triggers that wait for their runs. */
        readonly queue_depth: number;
        /** How late its last sign of life is, in milliseconds. */
        readonly lag_ms: number;
        /** True for the node that answers. */
        readonly is_self: boolean;
      }[];
    };
  };
  /** Read the time of a service with a manual clock. */
  readonly "GET /clock": {
    readonly answer: {
      readonly data: {
        /** Epoch milliseconds. */
        readonly now_ms: number;
      };
    };
  };
  /** Move the time of a service with a manual clock. */
  readonly "POST /clock/advance": {
    readonly body: {
      /** An integer from 0 to 3162240000000. */
      readonly ms: number;
    };
    readonly answer: {
      readonly data: {
        /** Epoch milliseconds. */
        readonly now_ms: number;
        /** Number of due times. */
        readonly steps: number;
        /** True when there were more than 10,000 steps. */
        readonly coalesced: boolean;
      };
    };
  };
  /** Read this description. */
  readonly "GET /openapi.json": {
    readonly answer: { readonly [name: string]: Json };
  };
}
