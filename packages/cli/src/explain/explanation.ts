import type { ErrorRow } from "@x/runtime/errors";

/** What is known about a code or rule. */
export type Explanation = Pick<ErrorRow, "meaning" | "cause" | "fix">;
