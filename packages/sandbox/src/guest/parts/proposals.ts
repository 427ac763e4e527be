import AsyncDisposableStack from "core-js-pure/actual/async-disposable-stack";
import fromAsync from "core-js-pure/actual/array/from-async";
import DisposableStack from "core-js-pure/actual/disposable-stack";
import SuppressedError from "core-js-pure/actual/suppressed-error";

interface Proposals {
  readonly AsyncDisposableStack: unknown;
  readonly DisposableStack: unknown;
  readonly SuppressedError: unknown;
  readonly fromAsync: unknown;
}

/** Parts of ECMAScript that the engine lacks, by core-js. */
export default (): Proposals => ({ AsyncDisposableStack, DisposableStack, SuppressedError, fromAsync });
