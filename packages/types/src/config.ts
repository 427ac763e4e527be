/** A value that JSON can represent. */
export type ConfigValue =
  | string
  | number
  | boolean
  | null
  | readonly ConfigValue[]
  | { readonly [name: string]: ConfigValue };

/** Credentials of an app. */
export interface AccountConfig {
  /** Slug of the app, as in `app` props. */
  readonly app: string;
  /** What components read as `$auth`. Absent: the account must exist already. */
  readonly auth?: { readonly [field: string]: ConfigValue };
}

/** What requests of a service to the endpoint of its app have to prove, and who reads them. */
export interface AppEndpointConfig {
  /** A service whose scheme and reader are built in. Default: the one of the app. */
  readonly service?: string;
  /** How requests prove who sent them, such as `hmac`; `none`: not at all. Default: as the service does. */
  readonly scheme?: string;
  /** One, or up to four of which any will do. */
  readonly secret?: string | readonly string[];
  /** A module with `receive`, in place of the reader of the service; relative to the folder of the config. */
  readonly reader?: string;
  /** Addresses accounts of all users, strictly by address. Only of the first user. */
  readonly allUsers?: boolean;
  /** Parameters of the scheme, such as `header`, `prefix` and `tolerance`. */
  readonly parameters?: { readonly [name: string]: string | number };
}

/** An app whose service sends events. */
export interface AppConfig {
  readonly endpoint: AppEndpointConfig;
}

/** A source, made from a file or from a saved component. */
export interface SourceConfig {
  /** Relative to the folder of the config. */
  readonly file?: string;
  /** The folder that imports must be in; default: that of the package, or of the tree `components/`. */
  readonly root?: string;
  /** Key of a saved or published component, instead of `file`. */
  readonly key?: string;
  /** All values of its props. */
  readonly props?: { readonly [prop: string]: ConfigValue };
  /** Names of accounts by app, or by app prop. */
  readonly accounts?: { readonly [appOrProp: string]: string };
  /** False: paused. Default: true. */
  readonly active?: boolean;
  /** False: events of its deploy hook are dropped when the source is made. Default: true. */
  readonly emitOnDeploy?: boolean;
}

/** A URL that receives events. */
export interface WebhookConfig {
  readonly url: string;
  readonly description?: string;
  /** Default: "event", the event alone. "cloudevents": a CloudEvent in structured mode; "cloudevents-binary": in binary mode. */
  readonly format?: "event" | "envelope" | "cloudevents" | "cloudevents-binary";
}

/** Events of `from` go to `to`. */
export interface SubscriptionConfig {
  /** Name of a source; name, name slug or id of a workflow; or `dc_*` or `p_*`. */
  readonly from: string;
  /** Name of a source or webhook; name, name slug or id of a workflow. */
  readonly to: string;
  /** "$errors", "$logs" or a channel. Default: the default stream. */
  readonly stream?: string;
}

/** Flags of `x serve`, and those of `x dev` among them, in camel case, such as `publicUrl`; keys belong into the environment. */
export type ServerConfig = { readonly [flag: string]: string | number | boolean };

/** What a service is to have: its components, sources and workflows. */
export interface Config {
  /** Name of this project: by it the service knows what it has made. */
  readonly project: string;
  /** URL of the service; default: `X_URL`, else http://127.0.0.1:7777. */
  readonly url?: string;
  readonly accounts?: { readonly [name: string]: AccountConfig };
  /** By slug. */
  readonly apps?: { readonly [slug: string]: AppConfig };
  readonly sources?: { readonly [name: string]: SourceConfig };
  readonly webhooks?: { readonly [name: string]: WebhookConfig };
  readonly subscriptions?: readonly SubscriptionConfig[];
  /** Files with workflows, which `x serve` and `x dev` register with this config. */
  readonly workflows?: readonly string[];
  /** Options of `x serve` and `x dev`. */
  readonly server?: ServerConfig;
}

/** Types the default export of `x.config.ts`; returns it unchanged. */
export const defineConfig = (config: Config): Config => config;
