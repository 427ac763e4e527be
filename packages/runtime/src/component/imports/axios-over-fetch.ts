/** Since 1.7 axios has an adapter for `fetch`. */
export function axiosSendsByFetch(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 1 || (major === 1 && minor >= 7);
}

/**
 * Adapter of axios for a sandbox: its own adapter for `fetch`, which fails as its adapter for Node's `http` does, with
 * the same codes and messages. Components tell by them whether to ask again. Stands for a module of `lib/adapters`.
 */
export const axiosOverFetch: string = `
import * as overFetch from "./fetch.js";
import AxiosError from "../core/AxiosError.js";
import buildFullPath from "../core/buildFullPath.js";

const { default: fixed, getFetch = () => fixed } = overFetch;

const hungUp = () => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });

/** The error of a connection, as \`http\` tells it. */
const connectionError = ({ cause }) => (cause.code === "UND_ERR_SOCKET" ? hungUp() : cause);

function overHttp(error, config) {
  if (!(error instanceof AxiosError)) return error;
  const { signal, timeout, timeoutErrorMessage, transitional } = config;
  if (error.code === "ETIMEDOUT") {
    error.message = timeoutErrorMessage || \`timeout of \${timeout}ms exceeded\`;
    if (!(transitional && transitional.clarifyTimeoutError)) error.code = "ECONNABORTED";
  } else if (error.code === "ERR_CANCELED" && signal && signal.aborted) error.message = "canceled";
  else if (error.code === "ERR_NETWORK" && error.cause)
    return AxiosError.from(connectionError(error), null, config, error.request);
  return error;
}

export default async (config) => {
  // Throws what \`http\` throws for no address.
  new URL(buildFullPath(config.baseURL, config.url, config.allowAbsoluteUrls, config));
  try {
    return await getFetch(config)(config);
  } catch (error) {
    throw overHttp(error, config);
  }
};
`;
