/** A connected account, without its credentials. Times are epoch seconds. */
export interface Account {
  readonly id: string;
  readonly app: string;
  readonly name: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  /** Of an account with the tokens of an authorization server. */
  readonly oauth?: { readonly problem: { readonly message: string } | null };
}

/** An app whose accounts can be connected. */
export interface ConnectableApp {
  readonly app: string;
  readonly fields: readonly { readonly name: string; readonly label: string | null; readonly secret: boolean }[];
}
