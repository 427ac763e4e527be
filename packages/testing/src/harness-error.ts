/** The harness was used in a way that it cannot follow; the message says what to write instead. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
}
