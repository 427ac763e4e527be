import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";

import { component } from "../conformance/fixture.ts";
import { createRandom } from "../faults/random.ts";
import { ask, type ServiceChild, startService } from "../faults/service.child.ts";
import { type AuthorizationServer, clientId, clientSecret, startAuthorizationServer } from "./authorization-server.ts";

export interface RotationReport {
  readonly rounds: number;
  /** Renewals that the server granted; each replaced the refresh token. */
  readonly renewals: number;
  /** Kills after the server had granted a renewal, and before a run ended with it. */
  readonly cut: number;
  /** Runs that called the API with a renewed token. */
  readonly runs: number;
  /** Rounds after which the account had to be connected again. */
  readonly lost: number;
  readonly problems: readonly string[];
}

export interface RotationOptions {
  readonly folder: string;
  readonly rounds: number;
  readonly seed: number;
  /** A server that forgives a lost answer, or one that voids the grant when a replaced token comes again. Default true. */
  readonly isLenient?: boolean;
  readonly report?: (line: string) => void;
}

const redirectUri = "http://127.0.0.1:9/callback";
const args = ["--network", "allow-private"];
/** Of access tokens: each round needs a new one. */
const lifetimeSeconds = 1;

interface Ran {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

async function connect(url: string, server: AuthorizationServer): Promise<string> {
  const oauth = { client_id: clientId, client_secret: clientSecret, issuer: server.issuer, scopes: ["openid", "read"] };
  await ask(url, "PUT", "/apps/acme", { oauth });
  const body = { app: "acme", redirect_uri: redirectUri };
  const begun = await ask<{ data: { authorize_url: string } }>(url, "POST", "/accounts/connect", body);
  const back = await server.agree(begun.data.authorize_url, redirectUri);
  const done = await ask<{ data: { account_id: string } }>(url, "POST", "/accounts/connect/complete", { url: back });
  return done.data.account_id;
}

/** Sources that ask the API with the account's token. */
async function deploy(url: string, server: AuthorizationServer, accountId: string): Promise<string[]> {
  const code = component({
    name: "Asking",
    props: 'acme: { type: "app", app: "acme" }',
    run: `const response = await fetch("${server.issuer}/api/me", {
        headers: { authorization: "Bearer " + this.acme.$auth.oauth_access_token } });
      this.$emit({ status: response.status });`,
  });
  const configured_props = { acme: { authProvisionId: accountId } };
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) {
    const made = await ask<{ data: { id: string } }>(url, "POST", "/sources", {
      component_code: code,
      configured_props,
      name,
    });
    ids.push(made.data.id);
  }
  return ids;
}

const runOf = async (url: string, id: string): Promise<Ran> =>
  (await ask<{ data: Ran }>(url, "POST", `/sources/${id}/run`, {})).data;

/**
 * Kills a service again and again around the moment at which a server replaces a refresh token, and looks afterwards whether
 * the account still works.
 */
export async function runRotationCampaign(options: RotationOptions): Promise<RotationReport> {
  const { folder, rounds, seed, isLenient = true, report = () => undefined } = options;
  const random = createRandom(seed);
  await using server = await startAuthorizationServer({ redirectUris: [redirectUri], lifetimeSeconds, isLenient });
  const data = join(folder, "data");
  const problems: string[] = [];
  let [cut, runs, lost] = [0, 0, 0];
  let service: ServiceChild = await startService(data, { args });
  let account = await connect(service.url, server);
  let sources = await deploy(service.url, server, account);

  /** Runs all sources at once, and kills the service when the server is asked or has granted, some milliseconds later. */
  async function killAround(stage: "asked" | "granted", delayMs: number): Promise<void> {
    const reached = Promise.withResolvers<void>();
    server.onToken = (at) => {
      if (at === stage) reached.resolve();
    };
    const running = Promise.allSettled(sources.map((id) => runOf(service.url, id)));
    await Promise.race([reached.promise, running.then(() => undefined)]);
    if (delayMs > 0) await after(delayMs);
    await service.kill();
    server.onToken = undefined;
    const ended = await running;
    if (stage === "granted" && ended.some(({ status }) => status === "rejected")) cut += 1;
  }

  /** Runs a source until the service has answered for sure. */
  async function check(round: number): Promise<void> {
    const { status, error } = await runOf(service.url, sources[0] ?? "");
    if (status === "ok") runs += 1;
    else if (error?.code === "account_disconnected") {
      lost += 1;
      if (isLenient) problems.push(`round ${round}: ${error.message}`);
      account = await connect(service.url, server);
      sources = await deploy(service.url, server, account);
    } else problems.push(`round ${round}: ${error?.code ?? status}: ${error?.message ?? ""}`);
  }

  for (let round = 1; round <= rounds; round += 1) {
    // The token of the round before has expired by then.
    await after(lifetimeSeconds * 1_000);
    await killAround(random() < 0.2 ? "asked" : "granted", random() < 0.5 ? 0 : Math.floor(random() * 30));
    service = await startService(data, { args });
    await after(lifetimeSeconds * 1_000);
    await check(round);
    if (round % 10 === 0) report(`round ${round}: ${cut} cut, ${lost} lost, ${problems.length} problems`);
  }
  const renewals = server.granted.filter((grant) => grant === "refresh_token").length;
  await service.kill("SIGTERM");
  return { rounds, renewals, cut, runs, lost, problems };
}
