export interface Invoice {
  readonly id: string;
  readonly paid_at: string;
  readonly lines: readonly { readonly cents: number }[];
}

export interface ListParams {
  readonly state: "paid" | "open";
  readonly after?: string;
}

export const STATES = { paid: "Paid", open: "Open" } as const satisfies Record<ListParams["state"], string>;
