/** Where a text of a request is: in a header, or a member of its JSON body. */
export interface Place {
  /** In lower case. */
  readonly header?: string;
  /** Members of the body with dots between them, such as `signature.timestamp`. */
  readonly member?: string;
  /** Between the items of the header. */
  readonly separator?: "," | " ";
  /** Before the text, or before each item that counts. */
  readonly prefix?: string;
}

/** The time in a request. */
export interface TimePlace extends Place {
  readonly unit: "s" | "ms";
  /** Most seconds between the time and now, in both directions. */
  readonly tolerance: number;
}

export type Algorithm = "sha1" | "sha256" | "sha512" | "ed25519" | "p256";

/**
 * A handshake: requests that register or test a URL. `hub`, `hub-json` and `query` are answered before the verification;
 * the others are signed.
 */
export type Handshake =
  | "hub"
  | "hub-json"
  | "query"
  | "head"
  | "slack"
  | "zoom"
  | "discord"
  | "github-ping"
  | "intercom-ping";

/** What a row has besides its way to prove. */
interface Row {
  readonly handshake?: Handshake;
  /** Of the handshake `query`. */
  readonly challenge?: string;
}

/** A signature over parts of the request. */
export interface SignatureScheme extends Row {
  readonly kind: "signature";
  readonly signature: Place;
  readonly algorithm: Algorithm;
  readonly encoding: "hex" | "base64";
  /** How the key is written: as it is, or in base64 after `whsec_`. Default: as it is; public keys in hex or base64. */
  readonly key?: "whsec";
  /**
   * The signed text. `{t}`, `{body}`, `{url}`, `{method}`, `{id}` and `{form}` (the sorted fields of a form) are replaced, and
   * members of the body by names with a dot.
   */
  readonly signed: string;
  readonly time?: TimePlace;
  /** Header of `{id}`. */
  readonly id?: string;
}

/** A text that is equal to the secret. */
export interface TokenScheme extends Row {
  readonly kind: "token";
  readonly header?: string;
  readonly query?: string;
}

/** Name and password of RFC 7617. */
export interface BasicScheme extends Row {
  readonly kind: "basic";
}

/** Requests prove nothing. */
export interface OpenScheme extends Row {
  readonly kind: "none";
  /** True where the handshake needs a secret. */
  readonly hasSecret?: true;
}

export type Scheme = SignatureScheme | TokenScheme | BasicScheme | OpenScheme;

/** Seconds, for services that document no tolerance. */
export const usualTolerance = 300;
