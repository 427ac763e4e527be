/** What the schemes `hmac`, `token` and `basic` need to know, and what a row of the table of schemes lets be changed. */
export interface SchemeParameters {
  /** Header of the signature or the token, in lower case. */
  readonly header?: string;
  /** Query parameter of the token. */
  readonly query?: string;
  /** Stands before the signature, such as `sha256=`. */
  readonly prefix?: string;
  readonly algorithm?: "sha1" | "sha256" | "sha512";
  readonly encoding?: "hex" | "base64";
  /** The signed text, such as `{t}.{body}`. Default: `{body}`. */
  readonly signed?: string;
  /** Header of the time; with `item`, the name of the time in the list. */
  readonly timestamp?: string;
  /** Unit of the time. Default: seconds. */
  readonly unit?: "s" | "ms";
  /** Most seconds between the time and now, in both directions. */
  readonly tolerance?: number;
  /** Name of the signature in a list such as `t=1,v1=…`. */
  readonly item?: string;
  /** Query parameter that a GET wants back as text; `hub`: the handshake with `hub.challenge`. */
  readonly challenge?: string;
  /** Compared with `hub.verify_token`. Default: the secrets. */
  readonly verifyToken?: string;
}

/** How requests prove who sent them. */
export interface Verification {
  /** A row of the table of schemes. */
  readonly scheme: string;
  readonly parameters?: SchemeParameters;
  /** Any of them is accepted: a new one and the one before. */
  readonly secrets: readonly string[];
}
