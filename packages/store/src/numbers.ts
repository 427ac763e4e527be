import type { ExecutionStatus, StreamKind } from "@x/model";

/** The number of each stream in the tables. */
export const streamNumbers: { readonly [stream in StreamKind]: number } = { emits: 0, $errors: 1, $logs: 2 };

/** The number of each status in the tables. */
export const statusNumbers: { readonly [status in ExecutionStatus]: number } = {
  ok: 0,
  error: 1,
  timeout: 2,
  out_of_memory: 3,
};
