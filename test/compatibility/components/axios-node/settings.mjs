import http from "node:http";
import https from "node:https";
import { stringify } from "node:querystring";

import { outcomes } from "./shown.mjs";

/** What a configuration can say of a request and of its answer. */
export default function settings(axios) {
  const url = "https://api.example.com/settings";
  const serializer = (params) => stringify(params);
  return outcomes(axios, {
    params: () => axios.get(url, { params: { a: [1, 2], b: { c: 1 }, d: new Date(0), e: null, f: "ü &+ :$,[]" } }),
    "params beside a query": () => axios.get(`${url}?x=1#part`, { params: { y: 2 } }),
    "params as URLSearchParams": () =>
      axios.get(url, {
        params: new URLSearchParams([
          ["a", "1"],
          ["a", "2"],
        ]),
      }),
    paramsSerializer: () => axios.get(url, { params: { a: [1, 2] }, paramsSerializer: serializer }),
    "paramsSerializer as an object": () =>
      axios.get(url, { params: { a: [1, 2] }, paramsSerializer: { serialize: serializer, indexes: null } }),
    auth: () => axios.get(url, { auth: { username: "us:er", password: "pä ss" } }),
    "auth over a header": () =>
      axios.get(url, { auth: { username: "u", password: "p" }, headers: { Authorization: "X" } }),
    baseURL: () => axios.get("/path", { baseURL: "https://base.example.com/v1/" }),
    "baseURL and an address": () => axios.get(url, { baseURL: "https://base.example.com/v1" }),
    validateStatus: () => axios.get(`${url}/418`, { validateStatus: (status) => status === 418 }),
    "validateStatus: null": () => axios.get(`${url}/500`, { validateStatus: null }),
    "a status that is not valid": () => axios.get(`${url}/404`),
    "a server that fails": () => axios.post(`${url}/503`, { a: 1 }),
    transformRequest: () =>
      axios.post(
        url,
        { a: 1 },
        { transformRequest: (data) => `changed ${JSON.stringify(data)}`, headers: { "Content-Type": "x/y" } },
      ),
    transformResponse: () => axios.get(url, { transformResponse: (text) => ({ length: text.length }) }),
    "transformResponse that throws": () =>
      axios.get(url, {
        transformResponse() {
          throw new Error("not understood");
        },
      }),
    maxContentLength: () => axios.get(`${url}/long`, { maxContentLength: 10 }),
    headers: () =>
      axios.get(url, { headers: { "x-a": 1, "X-B": undefined, "X-C": null, "X-D": ["1", "2"], "X-E": false } }),
    "a header of two lines": () => axios.get(url, { headers: { "X-A": "a\nb" } }),
    "a header beyond Latin": () => axios.get(url, { headers: { "X-A": "✓" } }),
    "User-Agent": () => axios.get(url, { headers: { "User-Agent": "mine/1" } }),
    httpsAgent: () => axios.get(url, { httpsAgent: new https.Agent({ keepAlive: true, rejectUnauthorized: false }) }),
    httpAgent: () => axios.get("http://api.example.com/settings", { httpAgent: new http.Agent({ keepAlive: true }) }),
    "proxy: false": () => axios.get(url, { proxy: false }),
    method: () => axios({ url, method: "PURGE" }),
    "method in small letters": () => axios.request({ url, method: "patch", data: { a: 1 } }),
    "onUploadProgress and onDownloadProgress": async () => {
      const seen = { up: 0, down: 0 };
      const answer = await axios.post(`${url}/long`, "x".repeat(50), {
        onUploadProgress: ({ loaded }) => (seen.up = loaded),
        onDownloadProgress: ({ loaded }) => (seen.down = loaded),
      });
      await new Promise((resolve) => setTimeout(resolve, 400));
      return { status: answer.status, data: seen };
    },
    "no address": () => axios.get(""),
    "an address without host": () => axios.get("/relative"),
    "another protocol": () => axios.get("ftp://files.example.com/x"),
    "a data address": () => axios.get("data:text/plain;base64,aMO8"),
    "an adapter of its own": () =>
      axios.get(url, { adapter: async (config) => ({ status: 299, data: "own", headers: {}, config, request: null }) }),
  });
}
