import type { AccountApp, AuthorizationServer, ClientAuth, OAuthGrant } from "@x/model";
import { findService } from "./services/find-service.ts";

/** The authorization server of an app with the client that it knows, complete. */
export interface ServerClient {
  readonly issuer: string;
  readonly authorizeUrl?: string | undefined;
  readonly tokenUrl: string;
  readonly deviceUrl?: string | undefined;
  readonly revokeUrl?: string | undefined;
  readonly scopes: readonly string[];
  readonly scopeSeparator: string;
  readonly clientAuth: ClientAuth;
  readonly pkce: boolean;
  readonly issInResponse: boolean;
  readonly authorizeParams: { readonly [name: string]: string };
  readonly grant: OAuthGrant;
  readonly clientId: string;
  readonly clientSecret: string;
  /** True when `issuer` is the server's own name, not one that is made from its address. */
  readonly isIssuerKnown: boolean;
  /** Fields of `$auth` by their paths in the answer of the token endpoint. */
  readonly authPaths: { readonly [field: string]: string };
  readonly tokensAt?: string | undefined;
  readonly sendsJson?: true | undefined;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The problem of an address of an authorization server; undefined for https, and for http on this machine. */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "it is not a URL";
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== "" || password !== "" || hash !== "") return "it may have no user and no fragment";
  if (protocol === "https:" || (protocol === "http:" && loopback.test(hostname))) return undefined;
  return "it must begin with https:// (http:// only on this machine)";
}

/** The names in braces of an address. */
export const namesIn = (url: string): readonly string[] => [...url.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** A value for a part of an address: nothing that ends the host or the segment. */
const part = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** True for a value that may be a part of an address. */
export const isUrlPart = (value: string): boolean => part.test(value) && !value.includes("..");

const addresses = ["authorizeUrl", "tokenUrl", "deviceUrl", "revokeUrl", "issuer"] as const;

/** All addresses of a server, as they were given. */
export const addressesOf = (server: AuthorizationServer): readonly string[] =>
  addresses.flatMap((name) => (server[name] === undefined ? [] : [server[name]]));

function filled(url: string | undefined, fields: { readonly [name: string]: string }): string | undefined {
  return url?.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value !== undefined && isUrlPart(value) ? value : whole;
  });
}

/** The known service of an app: the one that it names, or the one that its slug belongs to. */
export const serviceOf = ({ slug, oauth }: Pick<AccountApp, "slug" | "oauth">): ReturnType<typeof findService> =>
  findService(oauth?.service ?? slug);

/**
 * The server and client of an app: what was given with the app, then what is known of the service. `fields` fill the
 * braces. Undefined without a client or an address of the token endpoint.
 */
export function serverOf(app: AccountApp, fields: { readonly [name: string]: string }): ServerClient | undefined {
  const { oauth, clientSecret } = app;
  if (!oauth) return undefined;
  const service = serviceOf(app);
  const known: AuthorizationServer = { ...service?.server, ...oauth };
  const tokenUrl = filled(known.tokenUrl, fields);
  if (tokenUrl === undefined || urlProblem(tokenUrl) !== undefined) return undefined;
  const issuer = filled(known.issuer, fields);
  const urls = [known.authorizeUrl, known.deviceUrl, known.revokeUrl].map((url) => filled(url, fields));
  // A part that nobody filled in, or that would lead elsewhere.
  if ([tokenUrl, issuer, ...urls].some((url) => url !== undefined && namesIn(url).length > 0)) return undefined;
  const [authorizeUrl, deviceUrl, revokeUrl] = urls;
  return {
    issuer: issuer ?? new URL(tokenUrl).origin,
    isIssuerKnown: issuer !== undefined,
    authorizeUrl,
    tokenUrl,
    deviceUrl,
    revokeUrl,
    scopes: known.scopes ?? [],
    scopeSeparator: known.scopeSeparator ?? " ",
    clientAuth: clientSecret === "" ? "none" : (known.clientAuth ?? "post"),
    pkce: known.pkce ?? true,
    issInResponse: known.issInResponse ?? false,
    authorizeParams: known.authorizeParams ?? {},
    grant: oauth.grant ?? "authorization_code",
    clientId: oauth.clientId,
    clientSecret,
    authPaths: service?.authPaths ?? {},
    tokensAt: service?.tokensAt,
    sendsJson: service?.sendsJson,
  };
}
