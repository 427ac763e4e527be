import type { Connection } from "@x/client";

import type { Arguments } from "../arguments/arguments.ts";
import { EnvironmentError, UsageError } from "../errors.ts";
import { inLine } from "../terminal/visible.ts";
import { openLoopbackRedirect } from "./loopback-redirect.ts";
import { printResult } from "./output.ts";
import type { RestClient } from "./rest-client.ts";
import { parseSecretObject, readSecret } from "./secret-input.ts";

const longestPort = 65_535;

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= longestPort) return port;
  throw new UsageError(`--loopback needs a port from 0 to ${longestPort}, got "${text}"`);
}

/** Fields from `name=value`, and from a file, which secret ones belong in. */
async function readFields(args: Arguments): Promise<Record<string, string> | undefined> {
  const pairs = args.all("field").map((pair): [string, string] => {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw new UsageError(`--field needs name=value, got "${pair}"`);
    return [name, value];
  });
  const file = args.text("auth-file");
  if (file === undefined) return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
  const what = { command: "x accounts connect", content: "a JSON object of fields", flag: "auth-file" };
  const { origin, content } = await readSecret(file, what);
  // The service checks that all of them are texts.
  const ofFile = parseSecretObject(origin, content, '{"api_key": "…"}') as Record<string, string>;
  return { ...ofFile, ...Object.fromEntries(pairs) };
}

/** Tells the person where to agree, on standard error: standard output is for the result. */
function tell({ authorize_url: url, user_code: code, redirect_uri: redirect }: Connection): void {
  if (code === null) console.error(`Open this page and agree:\n\n  ${inLine(url ?? "")}\n`);
  else console.error(`Open ${inLine(url ?? "")} and type in the code ${inLine(code)}`);
  if (redirect !== null) console.error(`The browser is then sent to ${inLine(redirect)}; Ctrl+C gives up.`);
}

async function ended(client: RestClient, { id }: Connection): Promise<Connection> {
  for (;;) {
    // Each question is answered when it has ended, or after some seconds.
    const now = await client.ask("GET /accounts/connect/{id}", { path: { id }, query: { wait: true } });
    if (now.status !== "pending") return now;
  }
}

/** Connects an account, and waits until a person has agreed. Rejects with `EnvironmentError` when that fails. */
export async function connectAccount(args: Arguments, client: RestClient, app: string): Promise<number> {
  const [name, accountId, scopes] = [args.text("name"), args.text("account"), args.text("scopes")];
  const fields = await readFields(args);
  const port = args.read("loopback", (_, text) => readPort(text));
  if (port !== undefined && args.has("device"))
    throw new UsageError("--device needs no redirect: leave --loopback out");
  await using redirect = port === undefined ? undefined : await openLoopbackRedirect(port);
  const begun = await client.ask("POST /accounts/connect", {
    body: {
      app,
      ...(accountId !== undefined && { account_id: accountId }),
      ...(name !== undefined && { name }),
      ...(fields && { fields }),
      ...(scopes !== undefined && { scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== "") }),
      ...(redirect && { redirect_uri: redirect.uri }),
      ...(args.has("device") && { device: true }),
    },
  });
  if (begun.status === "pending") tell(begun);
  const received = redirect?.received(async (url) => {
    await client.ask("POST /accounts/connect/complete", { body: { url } });
  });
  // A connection whose time is over ends without a redirect.
  const done = await Promise.race([
    ended(client, begun),
    ...(received ? [received.then(() => ended(client, begun))] : []),
  ]);
  if (done.account_id === null)
    throw new EnvironmentError(`No account of ${app} was connected: ${done.error ?? "nobody agreed"}`);
  return printResult(args, done, [
    `Account ${done.account_id} of ${done.app} is connected`,
    `Use it: x deploy FILE --account ${done.app}=${done.account_id}`,
  ]);
}
