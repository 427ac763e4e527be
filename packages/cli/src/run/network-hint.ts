/** A failure's reason, with the flag that takes it away where there is one. */
export const withNetworkHint = (reason: string): string =>
  /(?:loopback|private|uniqueLocal) addresses are denied/.test(reason)
    ? `${reason} (--network allow-private opens them)`
    : reason;
