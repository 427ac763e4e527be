/** The messages of the protocol that a pipeline sends. */
interface Protocol {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string; readonly types: readonly number[] }): void;
  bind(message: {
    readonly portal: string;
    readonly statement: string;
    readonly values: readonly (string | null)[];
  }): void;
  execute(message: { readonly portal: string; readonly rows: number }): void;
  sync(): void;
  once(event: "readyForQuery" | "end", listener: () => void): void;
  off(event: "readyForQuery" | "end", listener: () => void): void;
}

/** One message to a prepared statement, or one that prepares it. */
export type Step =
  | { readonly prepare: string; readonly text: string }
  | { readonly statement: string; readonly values: readonly string[] };

/** A query of the driver that sends several statements in one round trip. */
export interface Pipeline {
  /** Resolves when the server has done all steps in one transaction; rejects when it has done none, or is gone. */
  readonly done: Promise<void>;
  submit(connection: Protocol): void;
  handleRowDescription(): void;
  handleDataRow(): void;
  handleCommandComplete(): void;
  handlePortalSuspended(): void;
  handleEmptyQuery(): void;
  handleCopyInResponse(): void;
  handleCopyData(): void;
  handleReadyForQuery(): void;
  handleError(error: Error, connection: Protocol): void;
}

const ignore = (): void => undefined;

/** An error that ends the connection: no `ReadyForQuery` follows. */
const isFinal = (error: Error): boolean => !("severity" in error) || error.severity !== "ERROR";

/**
 * Sends steps with one Sync at their end. The server runs what is before a Sync in one implicit transaction: it commits at
 * the Sync, and after an error it skips the rest and rolls back.
 */
export function createPipeline(steps: readonly Step[]): Pipeline {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return {
    done: promise,
    submit(connection) {
      connection.stream.cork();
      for (const step of steps) {
        if ("prepare" in step) connection.parse({ name: step.prepare, text: step.text, types: [] });
        else {
          connection.bind({ portal: "", statement: step.statement, values: step.values });
          connection.execute({ portal: "", rows: 0 });
        }
      }
      connection.sync();
      connection.stream.uncork();
    },
    handleRowDescription: ignore,
    handleDataRow: ignore,
    handleCommandComplete: ignore,
    handlePortalSuspended: ignore,
    handleEmptyQuery: ignore,
    handleCopyInResponse: ignore,
    handleCopyData: ignore,
    handleReadyForQuery: resolve,
    handleError(error, connection) {
      const fail = (): void => {
        connection.off("readyForQuery", fail);
        connection.off("end", fail);
        reject(error);
      };
      if (isFinal(error)) return fail();
      // The connection takes the next query only then.
      connection.once("readyForQuery", fail);
      connection.once("end", fail);
    },
  };
}
