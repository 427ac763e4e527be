/**
 * What a signal is aborted with when its owner is closed. Made once: what aborts without a reason makes a `DOMException` each
 * time, which is slow.
 */
export const closedReason: Error = new Error("The runtime is closing");
