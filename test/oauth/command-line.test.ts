import { afterAll, beforeAll, expect, test } from "vitest";

import { runHere, startHere } from "../../packages/cli/src/run-here.cases.ts";
import { startServiceHere } from "../../packages/cli/src/serve/service-here.cases.ts";
import { makeFolder } from "../../packages/cli/src/spawned.cases.ts";
import { freePort } from "../free-port.ts";
import { type AuthorizationServer, clientId, clientSecret, startAuthorizationServer } from "./authorization-server.ts";

let server: AuthorizationServer;
let service: Awaited<ReturnType<typeof startServiceHere>>;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let port: number;
let redirectUri: string;
let callback: string;

beforeAll(async () => {
  port = await freePort();
  redirectUri = `http://127.0.0.1:${port}/callback`;
  const servicePort = await freePort();
  callback = `http://127.0.0.1:${servicePort}/oauth/callback`;
  server = await startAuthorizationServer({ redirectUris: [redirectUri, callback] });
  folder = await makeFolder({
    "client.secret": `${clientSecret}\n`,
    "more.json": '{"pkce": true}',
    "keys.json": '{"api_key": "the-key-of-weather"}',
  });
  service = await startServiceHere(folder.path, {
    apiKey: "k",
    port: servicePort,
    network: { mode: "allow-private" },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const words = (...args: readonly string[]): string[] => {
  const [command = "", ...rest] = args;
  return [command, "--url", service.baseUrl, "--api-key", "k", ...rest];
};
const x = (...args: readonly string[]): ReturnType<typeof runHere> => runHere(words(...args), { cwd: folder.path });

/** The page that a command asks the person to open. */
async function pageOf(running: { readonly err: () => string }): Promise<string> {
  await expect.poll(() => running.err()).toMatch(/http:\/\/\S+\/auth\?\S+/);
  return /http:\/\/\S+\/auth\?\S+/.exec(running.err())?.[0] ?? "";
}

test("x apps add takes the secret of a client from a file, and x apps ls shows the app without it", async () => {
  const client = ["--client-id", clientId, "--secret-file", "client.secret", "--issuer", server.issuer];
  const added = await x(
    "apps",
    "add",
    "acme",
    "--oauth",
    ...client,
    "--scopes",
    "openid read",
    "--oauth-file",
    "more.json",
  );
  expect([added.code, added.err]).toEqual([0, ""]);
  expect(added.out).toContain(`Register this redirect URL at the service: ${callback}\n`);
  const listed = await x("apps", "ls");
  expect(listed.out).toBe(`acme  OAuth 2  ${clientId}\n`);
  expect((await x("apps", "ls", "--json")).out).not.toContain(clientSecret);
});

test("x accounts connect waits for the person, by the callback of the service", async () => {
  await using running = startHere(words("accounts", "connect", "acme", "--name", "work", "--json"), {
    cwd: folder.path,
  });
  const back = await server.agree(await pageOf(running), callback);
  expect((await fetch(back)).status).toBe(200);
  expect(await running.exit).toBe(0);
  expect(JSON.parse(running.out())).toMatchObject({ app: "acme", status: "connected" });
  expect((await x("accounts", "ls")).out).toMatch(/^apn_\w+ {2}acme {2}work\n$/);
});

test("x accounts connect --loopback receives the redirect on this machine", async () => {
  await using running = startHere(words("accounts", "connect", "acme", "--loopback", String(port)), {
    cwd: folder.path,
  });
  const back = await server.agree(await pageOf(running), redirectUri);
  expect((await fetch(new URL("/other", back))).status).toBe(404);
  const page = await fetch(back);
  expect(await page.text()).toContain("The account is connected.");
  expect(await running.exit).toBe(0);
  expect(running.out()).toMatch(/^Account apn_\w+ of acme is connected\n/);
});

test("a person who declines ends the command with what the server said", async () => {
  await using running = startHere(words("accounts", "connect", "acme", "--loopback", String(port)), {
    cwd: folder.path,
  });
  const state = new URL(await pageOf(running)).searchParams.get("state") ?? "";
  const declined = new URLSearchParams({ error: "access_denied", state, iss: server.issuer });
  expect((await fetch(`${redirectUri}?${declined.toString()}`)).status).toBe(400);
  expect(await running.exit).toBe(4);
  expect(running.err()).toContain("access_denied");
});

test("an app with keys is connected with fields from a file", async () => {
  expect((await x("apps", "add", "weather", "--keys", "api_key,domain")).code).toBe(0);
  const missing = await x("accounts", "connect", "weather", "--auth-file", "keys.json");
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("fields.domain") as string]);
  const made = await x("accounts", "connect", "weather", "--auth-file", "keys.json", "--field", "domain=eu");
  expect([made.code, made.out]).toEqual([0, expect.stringContaining("of weather is connected") as string]);
});

test("wrong flags are usage errors", async () => {
  for (const [args, said] of [
    [["apps", "add", "a"], "one of --oauth"],
    [["apps", "add", "a", "--oauth"], "--client-id ID"],
    [["apps", "add", "a", "--keys", "k", "--scopes", "s"], "--scopes is a flag for --oauth"],
    [["apps", "ls", "--keys", "k"], "--keys is a flag of x apps add"],
    [["apps", "rm", "nobody"], "nobody"],
    [["accounts", "connect", "acme", "--loopback", "x"], "--loopback needs a port"],
    [["accounts", "connect", "acme", "--loopback", "0", "--device"], "leave --loopback out"],
    [["accounts", "connect", "acme", "--field", "x"], "--field needs name=value"],
    [["accounts", "ls", "--device"], "--device is a flag of x accounts connect"],
    [["accounts", "connect", "nobody"], "x apps add nobody"],
  ] as const) {
    const { code, err } = await x(...args);
    expect([code, err], args.join(" ")).toEqual([2, expect.stringContaining(said) as string]);
  }
});
