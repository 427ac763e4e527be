/** The abort reason of closed owners. Shared, because `abort()` without a reason creates a `DOMException`, which is slow. */
export const closedReason: Error = new Error("The runtime is closing");
