import { readFileSync } from "node:fs";

import type { AppEndpoint, AppEndpointDetail, PartsOf, ReceivedRequest } from "@x/client";
import type { Json } from "@x/runtime";

import type { Arguments, Flag } from "../arguments/arguments.ts";
import { messageOf, UsageError } from "../errors.ts";
import { columns, printResult } from "./output.ts";
import type { readClient } from "./service-flags.ts";
import { readSecret } from "./secret-input.ts";

type Client = ReturnType<typeof readClient>;
type EndpointBody = NonNullable<PartsOf<"PUT /apps/{app}/endpoint">["body"]>;

/** Flags with a text for the parameter of the scheme with the same name. */
const schemeFlags: readonly Flag[] = [
  { name: "header", value: "NAME", about: "endpoint: the header of the signature or the token" },
  { name: "query", value: "NAME", about: "endpoint: the query parameter of the token" },
  { name: "prefix", value: "TEXT", about: "endpoint: what stands before the signature, such as sha256=" },
  { name: "algorithm", value: "NAME", about: "endpoint: sha1, sha256 (default) or sha512" },
  { name: "encoding", value: "NAME", about: "endpoint: hex (default) or base64" },
  { name: "signed", value: "TEXT", about: "endpoint: the signed text; default {body}" },
  { name: "timestamp", value: "NAME", about: "endpoint: the header of the time, or its name in the list" },
  { name: "unit", value: "UNIT", about: "endpoint: s (default) or ms" },
  { name: "item", value: "NAME", about: "endpoint: the name of the signature in a list such as t=1,v1=…" },
  { name: "challenge", value: "NAME", about: "endpoint: the query parameter that a GET wants back, or hub" },
];

export const endpointFlags: readonly Flag[] = [
  { name: "service", value: "NAME", about: "add, endpoint: a known service; default: the one of the app" },
  { name: "scheme", value: "NAME", about: "endpoint: how requests prove who sent them; default: the service's" },
  { name: "secret-file", value: "FILE", about: "add, endpoint: the secret (default: standard input)" },
  { name: "keep-secret", about: "endpoint: keeps the stored secrets" },
  { name: "reader", value: "FILE", about: "endpoint: a module that turns requests into events" },
  { name: "all-users", about: "endpoint: addresses accounts of all users" },
  { name: "rotate", about: "endpoint: another URL" },
  { name: "rm", about: "endpoint: removes it" },
  ...schemeFlags,
];

export const eventFlags: readonly Flag[] = [
  { name: "data", value: "JSON", about: "event: what run gets; @FILE reads a file" },
  { name: "account", value: "FIELD=VALUE,…", about: "event: whose it is, such as team_id=T1; default: all accounts" },
  { name: "id", value: "ID", about: "event: the same id within a day is a duplicate" },
  { name: "force", about: "event: sends a duplicate again" },
];

/** The flags that change an endpoint. */
const changing = endpointFlags.map(({ name }) => name).filter((name) => name !== "rotate" && name !== "rm");

const setsNothing = (args: Arguments): boolean => !changing.some((name) => args.has(name));

function readFile(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--${flag} ${file} cannot be read: ${messageOf(error)}`);
  }
}

const needsSecret = (scheme: string | undefined): boolean => scheme !== "none";

async function readEndpoint(args: Arguments): Promise<EndpointBody> {
  const body: Record<string, unknown> = {};
  for (const name of ["service", "scheme", ...schemeFlags.map((flag) => flag.name)]) {
    const text = args.text(name);
    if (text !== undefined) body[name] = text;
  }
  const reader = args.text("reader");
  if (reader !== undefined) body["code"] = readFile("reader", reader);
  if (args.has("all-users")) body["all_users"] = true;
  const file = args.text("secret-file");
  if (args.has("keep-secret")) body["secret"] = { __secret: true };
  else if (file !== undefined || needsSecret(args.text("scheme"))) {
    const what = { command: "x apps endpoint", content: "the service's secret", flag: "secret-file" };
    body["secret"] = (await readSecret(file, what)).content.trim();
  }
  // The service checks them.
  return body;
}

const resultOf = ({ outcome, reason, names, triggers, skipped }: ReceivedRequest): string => {
  const why = reason === null ? "" : ` (${reason})`;
  const runs = triggers > 0 ? `, ${triggers} ${triggers === 1 ? "run" : "runs"}` : "";
  return `${outcome}${why}${runs}${skipped > 0 ? `, ${skipped} skipped` : ""}${names.length > 0 ? `: ${names.join(", ")}` : ""}`;
};

const linesOf = (endpoint: AppEndpoint): string[] => [
  `${endpoint.app}: ${endpoint.endpoint_url}`,
  endpoint.scheme === "none"
    ? "Requests are not verified: everybody who knows the URL can send events"
    : `Requests are verified: ${endpoint.scheme}, ${endpoint.secrets} ${endpoint.secrets === 1 ? "secret" : "secrets"}`,
  ...endpoint.steps.map((step, index) => `${index + 1}. ${step}`),
];

const shownRequests = 10;

function detailLines(endpoint: AppEndpointDetail): string[] {
  const { listeners, unknown_accounts: unknown, recent } = endpoint;
  return [
    ...linesOf(endpoint),
    ...(listeners.length === 0 ? ["No source listens"] : []),
    ...columns(
      listeners.map((each) => [
        each.source_id,
        each.prop,
        each.event_names.length === 0 ? "every event" : each.event_names.join(", "),
        each.account_id ?? "no account",
        each.active ? "" : "paused",
      ]),
    ),
    ...unknown.map(
      ({ id, fields }) => `Account ${id} gets no events: set ${fields.join(" or ")} (x accounts update ${id})`,
    ),
    ...columns(recent.slice(0, shownRequests).map((each) => [new Date(each.at).toISOString(), resultOf(each)])),
  ];
}

/** `x apps endpoint APP`: shows, sets, renews or removes the endpoint of an app. */
export async function runEndpoint(app: string, args: Arguments, client: Client): Promise<number> {
  const path = { app };
  if (args.has("rm") || args.has("rotate")) {
    if (args.has("rm") && args.has("rotate")) throw new UsageError("--rm and --rotate exclude each other");
    if (!setsNothing(args)) throw new UsageError(`--${args.has("rm") ? "rm" : "rotate"} takes no other flags`);
    if (args.has("rotate")) {
      const made = await client.ask("POST /apps/{app}/endpoint/rotate", { path });
      return printResult(args, made, linesOf(made));
    }
    await client.ask("DELETE /apps/{app}/endpoint", { path });
    return printResult(args, { app, deleted: true }, `Removed the endpoint of ${app}`);
  }
  if (setsNothing(args)) {
    const found = await client.ask("GET /apps/{app}/endpoint", { path }).catch((error: unknown) => {
      if ((error as { readonly code?: unknown }).code === "not_found") return undefined;
      throw error;
    });
    if (found) return printResult(args, found, detailLines(found));
  }
  const made = await client.ask("PUT /apps/{app}/endpoint", { path, body: await readEndpoint(args) });
  return printResult(args, made, linesOf(made));
}

function readData(text: string | undefined): Json {
  if (text === undefined) throw new UsageError("x apps event needs --data JSON");
  const json = text.startsWith("@") ? readFile("data", text.slice(1)) : text;
  try {
    return JSON.parse(json) as Json;
  } catch (error) {
    throw new UsageError(`--data is not JSON: ${messageOf(error)}`);
  }
}

function readAccount(text: string): { [field: string]: string } {
  const fields = text.split(",").map((each) => /^([^=]+)=(.+)$/.exec(each));
  const read = fields.map((field) => {
    if (!field) throw new UsageError(`--account is FIELD=VALUE, such as team_id=T1, got "${text}"`);
    return [field[1] ?? "", field[2] ?? ""] as const;
  });
  return Object.fromEntries(read);
}

/** `x apps event APP NAME…`: sends an event to the sources that listen. */
export async function runEvent(
  app: string,
  names: readonly string[],
  args: Arguments,
  client: Client,
): Promise<number> {
  const [id, account] = [args.text("id"), args.text("account")];
  const event = {
    ...(id !== undefined && { id }),
    names,
    ...(account !== undefined && { accounts: [readAccount(account)] }),
    data: readData(args.text("data")),
  };
  const body = { events: [event], force: args.has("force") };
  const results = await client.ask("POST /apps/{app}/events", { path: { app }, body });
  const lines = results.map(({ duplicate, sources }) => {
    if (duplicate) return "A duplicate: the app has seen the id within a day (--force sends it again)";
    return sources.length === 0 ? "No source listens to it" : `Sent to ${sources.join(", ")}`;
  });
  return printResult(args, results, lines);
}
