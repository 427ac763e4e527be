import { Buffer } from "buffer/";

/** `Buffer` of the package of this name. */
export default (): { Buffer: unknown } => ({ Buffer });
