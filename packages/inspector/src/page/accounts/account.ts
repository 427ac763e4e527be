/** A connected account, without its credentials. Times are epoch seconds. */
export interface Account {
  readonly id: string;
  readonly app: string;
  readonly name: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}
