/** Answered by the prelude when a built-in runs. */
declare module "x:host" {
  // oxlint-disable-next-line typescript/consistent-type-imports -- a module that is declared cannot import
  type HostModule = import("../host-module.ts").HostModule;
  /** Another built-in, `node:<name>`, which is evaluated now unless it has been. */
  export const builtin: (specifier: string) => unknown;
  /** Has it been evaluated? */
  export const hasBuiltin: (specifier: string) => boolean;
  export const askCrypto: HostModule["askCrypto"];
  export const askGenerate: HostModule["askGenerate"];
  export const askZlib: HostModule["askZlib"];
  export const cryptoKeyContent: HostModule["cryptoKeyContent"];
  export const randomBytes: HostModule["randomBytes"];
  export const sendRequest: HostModule["sendRequest"];
  export const monotonicMs: HostModule["monotonicMs"];
}
