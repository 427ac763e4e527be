const sockets = "opens TCP connections of its own, which components cannot";
const grpc = "gRPC opens HTTP/2 connections of its own, which components cannot";

/** Why a package, or a part of it, cannot work in a sandbox. */
export const reasons: { readonly [name: string]: string } = {
  "@google-cloud/bigquery-data-transfer": grpc,
  "@google-cloud/compute":
    "32 MB of code: a bundle may have 24 MB, and evaluating it takes more memory than a sandbox has",
  "@google-cloud/logging": grpc,
  "@google-cloud/pubsub": grpc,
  "@supabase/supabase-js": "all but realtime channels, which need a WebSocket: one is there, and cannot connect",
  chargebee: "its build for browsers leaves the constants of its telemetry out",
  imap: sockets,
  mongodb: sockets,
  mssql: sockets,
  mysql2: sockets,
  nodemailer: "SMTP opens TCP connections, which components cannot; other transports work",
  pg: sockets,
  "rhea-promise": sockets,
  "ssh2-sftp-client": sockets,
};
