// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { AppEndpoint, AppEndpointDetail, AppEventResult, ReceivedRequest } from "./apps.ts";
import type { Json } from "../basics.ts";

export interface AppsRoutes {
  /** Set the endpoint of an app. */
  readonly "PUT /apps/{app}/endpoint": {
    readonly path: { readonly app: string };
    readonly body?: {
      /** A service whose scheme and reader are built in. */
      readonly service?: string | undefined;
      /** A row of the table of schemes, or hmac, token, basic or none. */
      readonly scheme?: string | undefined;
      /** A secret, a list of one to four, or {"__secret": true} for the stored ones. */
      readonly secret?: string | readonly Json[] | { readonly [name: string]: Json } | undefined;
      /** The code of a reader. */
      readonly code?: string | undefined;
      /** True or false. */
      readonly all_users?: boolean | undefined;
      /** The header of the signature or the token. */
      readonly header?: string | undefined;
      /** The query parameter of the token. */
      readonly query?: string | undefined;
      /** What stands before the signature, such as sha256=. */
      readonly prefix?: string | undefined;
      /** Hash: sha1, sha256 or sha512. */
      readonly algorithm?: string | undefined;
      /** Of the signature: hex or base64. */
      readonly encoding?: string | undefined;
      /** The signed text, such as {t}.{body}. */
      readonly signed?: string | undefined;
      /** The header of the time; with item, its name in the list. */
      readonly timestamp?: string | undefined;
      /** Unit of the time: s or ms. */
      readonly unit?: string | undefined;
      /** Most seconds between the time and now. */
      readonly tolerance?: number | undefined;
      /** The name of the signature in a list such as t=1,v1=… */
      readonly item?: string | undefined;
      /** The query parameter that a GET wants back, or hub. */
      readonly challenge?: string | undefined;
      /** What hub.verify_token must be. */
      readonly verify_token?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: AppEndpoint;
    };
  };
  /** Get the endpoint of an app, who listens, and how its last requests ended. */
  readonly "GET /apps/{app}/endpoint": {
    readonly path: { readonly app: string };
    readonly answer: {
      readonly data: AppEndpointDetail;
    };
  };
  /** Remove the endpoint of an app. */
  readonly "DELETE /apps/{app}/endpoint": {
    readonly path: { readonly app: string };
    readonly answer: undefined;
  };
  /** Give the endpoint of an app another URL. */
  readonly "POST /apps/{app}/endpoint/rotate": {
    readonly path: { readonly app: string };
    readonly answer: {
      readonly data: AppEndpoint;
    };
  };
  /** Send events of an app to the sources that listen. */
  readonly "POST /apps/{app}/events": {
    readonly path: { readonly app: string };
    readonly body: {
      /** A list of at most 1,000 events. */
      readonly events: readonly {
        /** The same id within a day is a duplicate. */
        readonly id?: string | undefined;
        /** At most 16. */
        readonly names?: readonly string[] | undefined;
        /** Parts of `$auth`, such as {"team_id": "T1"}. None: all accounts of the app. */
        readonly accounts?: readonly { readonly [name: string]: string }[] | undefined;
        /** The event that `run` gets. */
        readonly data: Json;
      }[];
      /** True or false. */
      readonly force?: boolean | undefined;
    };
    readonly answer: {
      readonly data: readonly AppEventResult[];
    };
  };
  /** List how the last requests to the verified endpoints of a source ended. */
  readonly "GET /sources/{id}/requests": {
    readonly path: { readonly id: string };
    readonly answer: {
      readonly data: readonly ReceivedRequest[];
    };
  };
}
