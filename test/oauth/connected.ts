import { component, type Service, startService } from "../conformance/fixture.ts";
import {
  type AuthorizationServer,
  clientId,
  clientSecret,
  type ServerOptions,
  startAuthorizationServer,
} from "./authorization-server.ts";

/** A redirect that nothing listens at: the test reads it from the browser. */
export const redirectUri = "http://127.0.0.1:9/callback";
/** Where the service of the fixture has its callback. */
export const publicRedirect = "http://sources.test:9000/oauth/callback";

/** A service with an authorization server, at which its app `acme` has a client. */
export interface Connected extends AsyncDisposable {
  readonly service: Service;
  readonly server: AuthorizationServer;
  /** Connects an account as a person would. Returns its id. */
  connect(): Promise<string>;
  /** Deploys a component that asks the server's API with the token of the account, and emits what it answers. */
  deployAsking(accountId: string, name?: string): Promise<string>;
  /** The `$auth` that a run gets now. */
  auth(accountId: string): Promise<{ readonly [field: string]: string }>;
}

export async function startConnected(
  options: Omit<ServerOptions, "redirectUris"> = {},
  started: Parameters<typeof startService>[0] = {},
): Promise<Connected> {
  const server = await startAuthorizationServer({ ...options, redirectUris: [redirectUri, publicRedirect] });
  const service = await startService({ network: { mode: "allow-private" }, ...started });
  const { runtime } = service;
  await runtime.putApp({
    app: "acme",
    oauth: { clientId, clientSecret, issuer: server.issuer, scopes: ["openid", "read"] },
  });
  const acme = 'acme: { type: "app", app: "acme" }';
  const deploy = async (code: string, accountId: string): Promise<string> =>
    (await service.deploy(code, { acme: { authProvisionId: accountId } })).id;
  return {
    service,
    server,
    async connect() {
      const begun = await runtime.connectAccount({ app: "acme", redirectUri });
      const done = await runtime.completeConnection(await server.agree(begun.authorizeUrl ?? "", redirectUri));
      if (done.accountId === null) throw new Error(`Not connected: ${String(done.error)}`);
      return done.accountId;
    },
    deployAsking: (accountId, name = "Asking") =>
      deploy(
        component({
          name,
          props: acme,
          run: `
            const ask = (init = {}) => fetch("${server.issuer}/api/me", {
              ...init, headers: { authorization: "Bearer " + this.acme.$auth.oauth_access_token } });
            const response = await ask({ method: event.method ?? "GET", ...(event.method && { body: "sent" }) });
            if (!response.ok) throw new Error("the API answered " + response.status);
            this.$emit(await response.json());
            if (event.again) this.$emit(await (await ask()).json());
          `,
        }),
        accountId,
      ),
    async auth(accountId) {
      const id = await deploy(component({ name: "Auth", props: acme, run: "this.$emit(this.acme.$auth)" }), accountId);
      await service.run(id);
      return (await service.emitted(id)).at(-1) as { [field: string]: string };
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
