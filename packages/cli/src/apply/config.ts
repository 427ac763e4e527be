import { type Json, type WebhookFormat, webhookFormats } from "@x/model";

import { findNearest } from "../arguments/nearest.ts";
import { UsageError } from "../errors.ts";

type Values = { readonly [name: string]: Json };

export interface ConfiguredAccount {
  readonly name: string;
  readonly app: string;
  /** Undefined: the account must exist. */
  readonly auth: Values | undefined;
}

/** The endpoint of an app. */
export interface ConfiguredEndpoint {
  /** Slug of the app. */
  readonly name: string;
  readonly service: string | undefined;
  readonly scheme: string | undefined;
  readonly secret: Json | undefined;
  /** The file of a reader. */
  readonly reader: string | undefined;
  readonly allUsers: boolean;
  readonly parameters: Values;
}

export interface ConfiguredSource {
  readonly name: string;
  readonly file: string | undefined;
  readonly root: string | undefined;
  readonly key: string | undefined;
  readonly props: Values;
  /** Names of accounts by app or app prop. */
  readonly accounts: { readonly [app: string]: string };
  readonly active: boolean;
  /** False: events of the deploy hook are dropped when the source is made. */
  readonly emitOnDeploy: boolean;
}

export interface ConfiguredWebhook {
  readonly name: string;
  readonly url: string;
  readonly description: string | null;
  readonly format: WebhookFormat;
}

export interface ConfiguredSubscription {
  readonly from: string;
  readonly to: string;
  readonly stream: string;
}

/** A config file, checked and with defaults. Paths are as written. */
export interface Config {
  readonly project: string;
  readonly url: string | undefined;
  readonly accounts: readonly ConfiguredAccount[];
  readonly endpoints: readonly ConfiguredEndpoint[];
  readonly sources: readonly ConfiguredSource[];
  readonly webhooks: readonly ConfiguredWebhook[];
  readonly subscriptions: readonly ConfiguredSubscription[];
  readonly workflows: readonly string[];
  readonly server: { readonly [flag: string]: string | number | boolean };
}

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the members of one object, and collects what is wrong with them. */
class Reader {
  readonly #value: { readonly [name: string]: unknown };
  readonly #path: string;
  readonly #problems: string[];

  constructor(value: unknown, path: string, problems: string[], members: readonly string[]) {
    this.#path = path;
    this.#problems = problems;
    this.#value = isRecord(value) ? value : {};
    if (!isRecord(value)) this.#refuse("", "must be an object");
    for (const name of Object.keys(this.#value)) {
      if (members.includes(name)) continue;
      const nearest = findNearest(name, members);
      this.#refuse(
        name,
        `is unknown; ${nearest === undefined ? `there are ${members.join(", ")}` : `did you mean ${nearest}?`}`,
      );
    }
  }

  #refuse(name: string, problem: string): void {
    this.#problems.push(`${[this.#path, name].filter((part) => part !== "").join(".") || "the config"} ${problem}`);
  }

  text(name: string): string | undefined {
    const value = this.#value[name];
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    this.#refuse(name, "must be a text");
    return undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (this.#value[name] === undefined) this.#refuse(name, "is missing");
    return value ?? "";
  }

  flag(name: string, absent: boolean): boolean {
    const value = this.#value[name] ?? absent;
    if (typeof value === "boolean") return value;
    this.#refuse(name, "must be true or false");
    return absent;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], absent: Choice): Choice {
    const value = this.#value[name];
    const found = value === undefined ? absent : choices.find((each) => each === value);
    if (found === undefined) this.#refuse(name, `must be ${choices.join(" or ")}`);
    return found ?? absent;
  }

  /** A text, or a list of texts; undefined when it is absent. */
  textOrTexts(name: string): Json | undefined {
    const value = this.#value[name];
    const isFit = [value].flat().every((each) => typeof each === "string" && each !== "");
    if (value === undefined || isFit) return value as Json | undefined;
    this.#refuse(name, "must be a text or a list of texts");
    return undefined;
  }

  /** An object of JSON values; undefined when it is absent. */
  values(name: string): Values | undefined {
    const value = this.#value[name];
    if (value === undefined) return undefined;
    if (isRecord(value)) return JSON.parse(JSON.stringify(value)) as Values;
    this.#refuse(name, "must be an object");
    return undefined;
  }

  texts(name: string): { readonly [name: string]: string } {
    const value = this.#value[name] ?? {};
    if (isRecord(value) && Object.values(value).every((each) => typeof each === "string"))
      return value as { readonly [name: string]: string };
    this.#refuse(name, "must be an object of texts");
    return {};
  }

  list(name: string): readonly unknown[] {
    const value = this.#value[name] ?? [];
    if (Array.isArray(value)) return value as readonly unknown[];
    this.#refuse(name, "must be a list");
    return [];
  }

  /** The things in an object by their names. */
  named<Thing>(
    name: string,
    rule: RegExp,
    expected: string,
    read: (key: string, value: unknown, path: string) => Thing,
  ): Thing[] {
    const value = this.#value[name] ?? {};
    if (!isRecord(value)) {
      this.#refuse(name, "must be an object");
      return [];
    }
    return Object.entries(value).map(([key, each]) => {
      if (!rule.test(key)) this.#refuse(`${name}.${key}`, `must be named by ${expected}`);
      return read(key, each, `${name}.${key}`);
    });
  }
}

const projectRule = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const slugRule = /^[a-z0-9][a-z0-9-]{0,199}$/;
const nameRule = /^[^\p{Cc}]{1,256}$/u;

function readSource(name: string, value: unknown, path: string, problems: string[]): ConfiguredSource {
  const reader = new Reader(value, path, problems, [
    "file",
    "root",
    "key",
    "props",
    "accounts",
    "active",
    "emitOnDeploy",
  ]);
  const [file, key] = [reader.text("file"), reader.text("key")];
  if ((file === undefined) === (key === undefined)) problems.push(`${path} needs either file or key`);
  return {
    name,
    file,
    key,
    root: reader.text("root"),
    props: reader.values("props") ?? {},
    accounts: reader.texts("accounts"),
    active: reader.flag("active", true),
    emitOnDeploy: reader.flag("emitOnDeploy", true),
  };
}

const endpointMembers = ["service", "scheme", "secret", "reader", "allUsers", "parameters"];

function readEndpoint(name: string, value: unknown, path: string, problems: string[]): ConfiguredEndpoint {
  const given = new Reader(value, path, problems, ["endpoint"]).values("endpoint");
  if (given === undefined) problems.push(`${path} needs an endpoint`);
  const reader = new Reader(given ?? {}, `${path}.endpoint`, problems, endpointMembers);
  return {
    name,
    service: reader.text("service"),
    scheme: reader.text("scheme"),
    secret: reader.textOrTexts("secret"),
    reader: reader.text("reader"),
    allUsers: reader.flag("allUsers", false),
    parameters: reader.values("parameters") ?? {},
  };
}

function readServer(value: Values | undefined, problems: string[]): Config["server"] {
  const options: { [flag: string]: string | number | boolean } = {};
  for (const [name, each] of Object.entries(value ?? {})) {
    if (typeof each === "object") problems.push(`server.${name} must be a text, a number, or true or false`);
    else options[name] = each;
  }
  return options;
}

const members = ["project", "url", "accounts", "apps", "sources", "webhooks", "subscriptions", "workflows", "server"];

/** Checks what a config file exports. Throws `UsageError` with every problem. */
export function parseConfig(value: unknown, file: string): Config {
  const problems: string[] = [];
  const reader = new Reader(value, "", problems, members);
  const project = reader.required("project");
  if (project !== "" && !projectRule.test(project))
    problems.push("project must be 1 to 64 of a-z, 0-9, dot, hyphen and underscore that begin with a letter or digit");
  const config: Config = {
    project,
    url: reader.text("url"),
    accounts: reader.named("accounts", nameRule, "a text", (name, each, path) => {
      const account = new Reader(each, path, problems, ["app", "auth"]);
      return { name, app: account.required("app"), auth: account.values("auth") };
    }),
    endpoints: reader.named("apps", slugRule, "a-z, 0-9 and hyphens", (name, each, path) =>
      readEndpoint(name, each, path, problems),
    ),
    sources: reader.named("sources", slugRule, "a-z, 0-9 and hyphens", (name, each, path) =>
      readSource(name, each, path, problems),
    ),
    webhooks: reader.named("webhooks", nameRule, "a text", (name, each, path) => {
      const webhook = new Reader(each, path, problems, ["url", "description", "format"]);
      const format = webhook.choice("format", webhookFormats, "event");
      return { name, url: webhook.required("url"), description: webhook.text("description") ?? null, format };
    }),
    subscriptions: reader.list("subscriptions").map((each, index) => {
      const subscription = new Reader(each, `subscriptions[${index}]`, problems, ["from", "to", "stream"]);
      const [from, to] = [subscription.required("from"), subscription.required("to")];
      return { from, to, stream: subscription.text("stream") ?? "" };
    }),
    workflows: reader.list("workflows").flatMap((each, index) => {
      if (typeof each === "string") return [each];
      problems.push(`workflows[${index}] must be the path of a file`);
      return [];
    }),
    server: readServer(reader.values("server"), problems),
  };
  if (problems.length === 0) return config;
  throw new UsageError(`${file}: ${problems.join("\n  ")}`);
}
