import type { Execution, Json, Problem } from "@x/runtime";

/** A file as it stands. */
export interface FileState {
  readonly file: string;
  /** Absent while it has never been deployed. */
  readonly source?: string;
  readonly name?: string;
  readonly change?: "new" | "updated" | "unchanged";
  readonly endpoints: readonly string[];
  /** When its timer fires next, ISO 8601. */
  readonly next_tick?: string;
  /** Slugs of apps whose props have no account. */
  readonly without_account?: readonly string[];
}

/** Of which source or workflow something is told. */
interface OfSource {
  readonly source: string;
  readonly name: string;
}

/** What `x dev` tells, as `--json` prints it. */
export type DevMessage =
  | {
      readonly message: "serving";
      readonly base_url: string;
      readonly api_key: string;
      readonly data: string;
      readonly files: readonly FileState[];
      /** Files of earlier starts; their sources rest. */
      readonly resting: readonly string[];
    }
  | ({
      readonly message: "event";
      readonly id: string;
      readonly channel?: string;
      readonly summary?: string;
      readonly event: Json;
    } & OfSource)
  | ({ readonly message: "log"; readonly level: string; readonly text: string; readonly context?: string } & OfSource)
  | ({
      readonly message: "error";
      readonly error: { readonly name: string; readonly msg: string; readonly stack: string; readonly hint?: string };
      readonly frame?: string;
    } & OfSource)
  | ({
      readonly message: "request";
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly duration_ms: number;
    } & OfSource)
  /** A request that a run or hook made. */
  | ({
      readonly message: "call";
      readonly method: string;
      readonly url: string;
      readonly status?: number;
      readonly error?: string;
    } & OfSource)
  /** An event that dedupe dropped. */
  | ({ readonly message: "drop"; readonly summary?: string; readonly event: Json; readonly because: string } & OfSource)
  | ({
      readonly message: "run";
      readonly status: Execution["status"];
      readonly emitted: number;
      readonly deduped: number;
      readonly duration_ms: number;
      readonly cpu_ms: number;
      readonly response: Json;
      /** What an action returned and exported, or the steps of a workflow. */
      readonly exports?: Json;
    } & OfSource)
  | ({
      readonly message: "changed";
      readonly file: string;
      /** The files that were written. */
      readonly files: readonly string[];
      /** What it declares otherwise than before, in words. */
      readonly differences: readonly string[];
      /** Those that are new. */
      readonly endpoints: readonly string[];
      readonly next_tick?: string;
      /** Slugs of apps whose props have no account, as far as that is new. */
      readonly without_account: readonly string[];
      readonly recovered: boolean;
      readonly duration_ms: number;
    } & OfSource)
  | {
      readonly message: "broken";
      readonly file: string;
      readonly error: { readonly code: string; readonly message: string; readonly errors?: readonly Problem[] };
      /** The same to be read, with the author's line. */
      readonly text: string;
      /** The version before goes on running. */
      readonly kept: boolean;
    }
  | { readonly message: "keys" }
  | { readonly message: "note"; readonly text: string };
