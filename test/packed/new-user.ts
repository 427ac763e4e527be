import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "../free-port.ts";
import {
  type AuthorizationServer,
  clientId,
  clientSecret,
  startAuthorizationServer,
} from "../oauth/authorization-server.ts";
import { type Delivery, startReceiver } from "./receiver.ts";
import { openShell, type Shell, type Typed } from "./shell.ts";

/** What a new user did and saw, and what the servers around it saw. */
export interface Visit {
  readonly transcript: readonly Typed[];
  readonly deliveries: readonly Delivery[];
  /** The key that the deploy printed, with which deliveries are signed. */
  readonly signingKey: string;
  readonly granted: readonly string[];
  readonly refused: readonly string[];
  /** The answers of the API to the tokens that it was asked with, in their order. */
  readonly asked: readonly { readonly token: string; readonly status: number }[];
}

/** Seconds: an access token expires while a run uses it. */
const lifetimeSeconds = 5;

/** Asks the API until the token that it is asked with is another one, or once, and emits who the account is. */
const me = (issuer: string): string => `export default {
  name: "Me",
  version: "0.1.0",
  props: { stars: { type: "app", app: "stars" } },
  async run(event) {
    const ask = async () => {
      const headers = { authorization: \`Bearer \${this.stars.$auth.oauth_access_token}\` };
      const response = await fetch("${issuer}/api/me", { headers });
      if (!response.ok) throw new Error(\`the API answered \${response.status}\`);
      return { token: response.headers.get("x-token-id"), ...(await response.json()) };
    };
    const first = await ask();
    let asked = first;
    while (!event.once && asked.token === first.token) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      asked = await ask();
    }
    this.$emit({ who: asked.id });
  },
};
`;

/** A project from a template: made, installed, tested, and run with `x dev` until an event is seen. */
async function develop(shell: Shell): Promise<void> {
  await shell.run("node --version");
  await shell.run("npx --yes @x/cli new stars --template app");
  shell.cd("stars");
  await shell.run("npm install");
  await shell.run("npm test");
  const dev = shell.start("node_modules/.bin/x dev stars.js --props package=vitest --port 0 --network allow-private");
  const [, base = ""] = await dev.printed(/Base URL +(http:\S+)\/v1/);
  await dev.printed(/next tick/);
  await shell.run(`npx @x/cli sources run stars --to ${base}`);
  await dev.printed(/vitest \d/);
  await dev.stop();
}

/** Connects an account as a person would, with a browser. */
async function connect(shell: Shell, server: AuthorizationServer, callback: string): Promise<void> {
  const client = `--client-id ${clientId} --secret-file client.secret --issuer ${server.issuer} --scopes 'openid read'`;
  await shell.run(`npx @x/cli apps add stars --oauth ${client}`);
  const connecting = shell.start("npx @x/cli accounts connect stars --name work");
  const [page] = await connecting.printed(/http:\/\/\S+\/auth\?\S+/);
  await (await fetch(await server.agree(page, callback))).text();
  await connecting.end;
}

/**
 * Does what a new user does with Node of `nodeFolder`, in an empty folder, with nothing but an npm registry: from `x new` to a
 * webhook that receives the events of a deployed component with an account.
 */
export async function visit(nodeFolder: string, registry: string): Promise<Visit> {
  const home = mkdtempSync(join(tmpdir(), "x-new-user-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const callback = `${url}/oauth/callback`;
  await using server = await startAuthorizationServer({ redirectUris: [callback], lifetimeSeconds });
  await using receiver = await startReceiver();
  await using shell = openShell(home, nodeFolder);
  // In colour, words of vitest are apart from their numbers.
  shell.export("NO_COLOR", "1");
  writeFileSync(join(home, ".npmrc"), `registry=${registry}\naudit=false\nfund=false\nupdate-notifier=false\n`);
  mkdirSync(join(home, "empty"));
  shell.cd("empty");
  shell.export("X_API_KEY", "key-of-a-new-user");
  await develop(shell);

  const project = join(home, "empty/stars");
  writeFileSync(join(project, "client.secret"), clientSecret);
  writeFileSync(join(project, "me.js"), me(server.issuer));
  const service = shell.start(`node_modules/.bin/x serve --port ${port} --network allow-private`);
  await service.printed(/\/v1/);
  shell.export("X_URL", url);
  await connect(shell, server, callback);
  const deployed = await shell.run(
    `npx @x/cli deploy me.js --to ${url} --account stars=work --webhook-url ${receiver.url}`,
  );
  const [, signingKey = ""] = /signing key +(\S+)/.exec(deployed.output) ?? [];
  await shell.run("npx @x/cli sources run me");
  await shell.run(`npx @x/cli sources run me --event '{"once":true}'`);
  await shell.run("npx @x/cli events me");
  await receiver.count(2);
  await shell.run(`npx @x/cli webhooks deliveries ${receiver.url}`);
  await service.stop();
  const { granted, refused, asked } = server;
  const transcript = await shell.typed();
  rmSync(home, { recursive: true, force: true });
  return { transcript, deliveries: receiver.received, signingKey, granted, refused, asked };
}
