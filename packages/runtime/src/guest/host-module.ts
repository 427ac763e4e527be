import { cryptoKeyContent } from "./crypto.ts";
import { sendRequest } from "./fetch.ts";
import { monotonicMs, randomBytes, utf8Encode } from "./host.ts";
import { askCrypto, askGenerate, askZlib } from "./library.ts";

/** What Node's built-ins may ask of the host: they import it as `x:host`. Components reach no more by it than by globals. */
export const hostModule = {
  askCrypto,
  askGenerate,
  askZlib,
  cryptoKeyContent,
  monotonicMs,
  randomBytes,
  sendRequest,
  utf8Encode,
};
export type HostModule = typeof hostModule;
