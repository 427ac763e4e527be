/** A mistake in the test, not in the component; the message says what to write instead. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
}
