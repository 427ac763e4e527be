import http from "node:http";
import https from "node:https";

import fetchOfNode from "node-fetch";

import { outcomes } from "./shown.mjs";

const shownCause = ({ name, message, code, errno, syscall, hostname, address, port }) =>
  JSON.parse(JSON.stringify({ name, message, code, errno, syscall, hostname, address, port }));
const told = (error) => ({
  name: error.name,
  message: error.message,
  code: error.code ?? null,
  type: error.type ?? null,
  cause: error.cause ? shownCause(error.cause) : null,
});

/** Hosts that cannot be reached, by every client. */
export default async function unreachable(axios) {
  const urls = [
    "http://nowhere..invalid/a?b",
    "https://nowhere..invalid/",
    "http://127.0.0.1:2/",
    "https://127.0.0.1:2/x",
  ];
  const all = [];
  for (const url of urls) {
    const get = url.startsWith("https") ? https.get : http.get;
    all.push({
      url,
      axios: await outcomes(axios, { get: () => axios.get(url), post: () => axios.post(url, { a: 1 }) }),
      noRedirects: await outcomes(axios, { get: () => axios.get(url, { maxRedirects: 0 }) }),
      fetch: await fetch(url).catch(told),
      nodeFetch: await fetchOfNode(url).catch(told),
      http: await new Promise((resolve) => get(url, resolve).on("error", (error) => resolve(shownCause(error)))),
    });
  }
  return all;
}
