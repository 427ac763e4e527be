/** Answered by the prelude when a built-in runs. */
declare module "x:host" {
  // oxlint-disable-next-line typescript/consistent-type-imports -- a module that is declared cannot import
  type HostModule = import("../host-module.ts").HostModule;
  export const askCrypto: HostModule["askCrypto"];
  export const askGenerate: HostModule["askGenerate"];
  export const askZlib: HostModule["askZlib"];
  export const cryptoKeyContent: HostModule["cryptoKeyContent"];
  export const randomBytes: HostModule["randomBytes"];
  export const sendRequest: HostModule["sendRequest"];
  export const monotonicMs: HostModule["monotonicMs"];
}
