/** The prelude provides this module when a built-in runs. */
declare module "x:host" {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an ambient module declaration cannot import
  type HostModule = import("../builtins.ts").HostModule;
  /** Another built-in, `node:<name>`; evaluates it unless that has happened. */
  export const builtin: (specifier: string) => unknown;
  /** Whether a built-in has been evaluated. */
  export const hasBuiltin: (specifier: string) => boolean;
  export const askCrypto: HostModule["askCrypto"];
  export const askGenerate: HostModule["askGenerate"];
  export const askZlib: HostModule["askZlib"];
  export const cryptoKeyContent: HostModule["cryptoKeyContent"];
  export const randomBytes: HostModule["randomBytes"];
  export const sendRequest: HostModule["sendRequest"];
}

// Packages that implement built-ins have the types of the built-in.
declare module "events/" {
  export { default } from "node:events";
}
declare module "readable-stream/lib/stream.js" {
  export { default } from "node:stream";
}
declare module "path-browserify" {
  export { default } from "node:path";
}
declare module "string_decoder/" {
  export { default } from "node:string_decoder";
}
declare module "assert/build/assert.js" {
  export { default } from "node:assert";
}
