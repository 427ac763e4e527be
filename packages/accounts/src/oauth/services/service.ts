import type { AppField, AuthorizationServer } from "@x/model";

/** What is publicly documented of a service's authorization server. */
export interface KnownService {
  /** Short name of the service. */
  readonly name: string;
  readonly label: string;
  /** Slugs of its apps, besides the name. */
  readonly apps: readonly string[];
  readonly server: AuthorizationServer;
  /** Parts of its addresses. */
  readonly fields?: readonly AppField[];
  /** Fields of `$auth` by their paths in the answer of the token endpoint. */
  readonly authPaths?: { readonly [field: string]: string };
  /** Where the tokens are in an answer that has none at its top. */
  readonly tokensAt?: string;
  /** True for a token endpoint that takes JSON alone. */
  readonly sendsJson?: true;
  /** The page that documents it. */
  readonly docs: string;
  /** What a person has to know besides. */
  readonly note?: string;
}
