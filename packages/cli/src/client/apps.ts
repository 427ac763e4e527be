import type { App, PartsOf } from "@x/client";
import type { Json } from "@x/runtime";

import type { Arguments, Flag } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { endpointFlags, eventFlags, runEndpoint, runEvent } from "./app-endpoint.ts";
import { columns, printResult } from "./output.ts";
import { parseSecretObject, readSecret } from "./secret-input.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

const subcommands = {
  ls: [],
  add: ["APP"],
  rm: ["APP"],
  services: [],
  endpoint: ["APP"],
  event: ["APP", "[NAME…]"],
} as const;

/** Flags with a text for the member of the client with the same name. */
const clientFlags: readonly Flag[] = [
  { name: "client-id", value: "ID", about: "add: the id of the client, as registered at the service" },
  { name: "issuer", value: "URL", about: "add: reads the addresses from the metadata of this server" },
  { name: "authorize-url", value: "URL", about: "add: address of the authorization page" },
  { name: "token-url", value: "URL", about: "add: address of the token endpoint" },
  { name: "device-url", value: "URL", about: "add: address for the device flow" },
  { name: "revoke-url", value: "URL", about: "add: address for revocation" },
  { name: "client-auth", value: "HOW", about: "add: basic, post (default) or none" },
  { name: "grant", value: "GRANT", about: "add: authorization_code (default) or client_credentials" },
];

const lists = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== "");

const addFlags: readonly Flag[] = [
  { name: "oauth", about: "add: by OAuth 2" },
  ...clientFlags,
  { name: "scopes", value: "LIST", about: "add: scopes to ask for" },
  { name: "public", about: "add: a client without a secret" },
  { name: "oauth-file", value: "FILE", about: "add: further members of the client, as REST has them, as JSON" },
  { name: "keys", value: "LIST", about: "add: without OAuth 2: the names of the keys, such as api_key,domain" },
];

type ClientBody = NonNullable<NonNullable<PartsOf<"PUT /apps/{app}">["body"]>["oauth"]>;

async function readClientBody(args: Arguments): Promise<ClientBody> {
  const what = { command: "x apps add --oauth", content: "the client's secret", flag: "secret-file" };
  const file = args.text("oauth-file");
  const more = file === undefined ? undefined : await readSecret(file, { ...what, content: "a JSON object" });
  const client: Record<string, Json> = more ? parseSecretObject(more.origin, more.content, '{"pkce": false}') : {};
  for (const name of ["service", ...clientFlags.map((flag) => flag.name)]) {
    const text = args.text(name);
    if (text !== undefined) client[name.replaceAll("-", "_")] = text;
  }
  const scopes = args.text("scopes");
  if (scopes !== undefined) client["scopes"] = lists(scopes);
  if (client["client_id"] === undefined) throw new UsageError("x apps add --oauth needs --client-id ID");
  if (!args.has("public"))
    client["client_secret"] ??= (await readSecret(args.text("secret-file"), what)).content.trim();
  // The service checks the members that a file brings.
  return client as unknown as ClientBody;
}

async function readApp(args: Arguments): Promise<PartsOf<"PUT /apps/{app}">["body"]> {
  const keys = args.text("keys");
  if (args.has("oauth") === (keys !== undefined))
    throw new UsageError("x apps add needs one of --oauth (with --client-id) and --keys NAME,…");
  if (keys === undefined) return { oauth: await readClientBody(args) };
  const misplaced = addFlags.find(({ name }) => name !== "keys" && args.has(name));
  if (misplaced) throw new UsageError(`--${misplaced.name} is a flag for --oauth`);
  return { fields: lists(keys).map((name) => ({ name })) };
}

const howOf = ({ oauth, fields }: App): string =>
  !oauth && fields.length === 0
    ? "endpoint"
    : oauth
      ? `OAuth 2${oauth.grant === "client_credentials" ? ", client credentials" : ""}`
      : `keys ${fields.map(({ name }) => name).join(", ")}`;

async function apps(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("apps", subcommands, args);
  const [app = ""] = operands;
  const namesOf = (flags: readonly Flag[]): string[] => flags.map(({ name }) => name);
  const shared = ["service", "secret-file"];
  if (subcommand !== "add") rejectFlags(args, "x apps add", namesOf(addFlags));
  if (subcommand !== "endpoint") {
    const own = namesOf(endpointFlags).filter((name) => subcommand !== "add" || !shared.includes(name));
    rejectFlags(args, "x apps endpoint", own);
  }
  if (subcommand !== "event") rejectFlags(args, "x apps event", namesOf(eventFlags));
  const client = readClient(args);
  switch (subcommand) {
    case "ls": {
      const found = await client.ask("GET /users/me/apps");
      return printResult(
        args,
        found,
        columns(found.map((each) => [each.app, howOf(each), each.oauth?.client_id ?? "", each.endpoint_url ?? ""])),
      );
    }
    case "services": {
      const found = await client.ask("GET /apps/services");
      const rows = found.map(({ name, label, server, note }) => [
        name,
        label,
        server.device_url === undefined ? "" : "device",
        note ?? "",
      ]);
      return printResult(args, found, columns(rows));
    }
    case "endpoint":
      return runEndpoint(app, args, client);
    case "event":
      return runEvent(app, operands.slice(1), args, client);
    case "rm":
      await client.ask("DELETE /apps/{app}", { path: { app } });
      return printResult(args, { app, deleted: true }, `Removed ${app}`);
    case "add": {
      const made = await client.ask("PUT /apps/{app}", { path: { app }, body: await readApp(args) });
      return printResult(args, made, [
        `App ${made.app}: ${howOf(made)}`,
        ...(made.redirect_uri === null ? [] : [`Register this redirect URL at the service: ${made.redirect_uri}`]),
        `Connect an account: x accounts connect ${made.app}`,
      ]);
    }
  }
}

/** `x apps`: how accounts of apps are connected. */
export const appsCommand: Command = {
  operands: "ls | add APP | rm APP | services | endpoint APP | event APP [NAME…]",
  details: [
    "Register a client at the service; add shows the redirect URL (/oauth/callback under the public URL of the runtime's",
    "service). Its secret comes from --secret-file or standard input, not from the command line; it is encrypted and never",
    "shown. For the services that x apps services lists, the addresses are known.",
    "endpoint sets the one URL that the app's service calls with its events, and says where to paste it; without flags it",
    "shows who listens and how the last requests ended. event sends an event as the service would.",
  ].join("\n"),
  flags: [...addFlags, ...endpointFlags, ...eventFlags, ...serviceFlags],
  examples: [
    "x apps services",
    "x apps add github --oauth --client-id ID --secret-file github.secret --scopes repo",
    "x apps add acme --oauth --client-id ID --issuer https://auth.acme.example < acme.secret",
    "x apps add acme_jobs --oauth --client-id ID --token-url https://auth.acme.example/token --grant client_credentials",
    "x apps add weather --keys api_key",
    "x apps ls --json",
    "x apps rm acme",
    "x apps endpoint slack --secret-file signing.secret",
    "x apps endpoint acme --scheme hmac --header x-acme-signature --reader reader.js < acme.secret",
    `x apps event slack message.im --data '{"type":"message","text":"hi"}' --account team_id=T1`,
  ],
  run: apps,
};
