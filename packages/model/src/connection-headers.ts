/** Names of headers of one connection or of the framing of a message, in lower case. Neither end passes them on. */
export const connectionHeaders: readonly string[] = [
  "connection",
  "content-length",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
