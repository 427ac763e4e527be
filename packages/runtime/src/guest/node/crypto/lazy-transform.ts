import { lazyStream } from "../lazy-stream.ts";

/** What hashes and ciphers extend. */
export class LazyTransform extends lazyStream("Transform") {}
