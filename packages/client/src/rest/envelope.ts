// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

export interface ErrorBody {
  /** What went wrong, for people. */
  readonly error: string;
  /** What went wrong, for programs. */
  readonly code: string;
  /** `errors` lists every problem of the request with its JSON pointer. */
  readonly details: {
    readonly errors?: readonly {
      readonly in?: "path" | "query" | "header" | "body";
      readonly path: string;
      readonly message: string;
      /** The author's file, for problems of code. */
      readonly file?: string;
      readonly line?: number;
      readonly column?: number;
      /** The lines around it. */
      readonly frame?: string;
    }[];
  };
}

export interface PageInfo {
  /** Items of the whole list. */
  readonly total_count: number;
  /** Items of this page. */
  readonly count: number;
  /** Cursor of the first item; empty on an empty page. */
  readonly start_cursor: string;
  /** Cursor of the last item; empty on an empty page. */
  readonly end_cursor: string;
}
