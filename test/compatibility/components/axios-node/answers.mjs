import { shownData, outcomes } from "./shown.mjs";

/** What an answer is made of. */
export default function answers(axios) {
  const url = "https://api.example.com";
  const shown = ({ status, statusText, data, headers, config, request }) => ({
    status,
    statusText,
    data: shownData(data),
    headers: Object.fromEntries(
      ["content-type", "content-encoding", "content-length", "set-cookie", "x-twice"].map((name) => [
        name,
        headers[name] ?? null,
      ]),
    ),
    config: { method: config.method, url: String(config.url), data: config.data ?? null },
    path: request.path,
    method: request.method,
    host: request.host,
    protocol: request.protocol,
    responseUrl: request.res.responseUrl,
    accept: request.getHeader("accept"),
  });
  return outcomes(
    axios,
    {
      json: () => axios.get(`${url}/json?a=b`),
      arraybuffer: () => axios.get(`${url}/bytes`, { responseType: "arraybuffer" }),
      text: () => axios.get(`${url}/json`, { responseType: "text" }),
      "latin1 text": () => axios.get(`${url}/bytes`, { responseType: "text", responseEncoding: "latin1" }),
      base64: () => axios.get(`${url}/bytes`, { responseType: "text", responseEncoding: "base64" }),
      json_type: () => axios.get(`${url}/json`, { responseType: "json" }),
      document: () => axios.get(`${url}/json`, { responseType: "document" }),
      blob: () => axios.get(`${url}/json`, { responseType: "blob" }),
      gzip: () => axios.get(`${url}/gzip`),
      brotli: () => axios.get(`${url}/brotli`),
      deflate: () => axios.get(`${url}/deflate`),
      "not decompressed": () => axios.get(`${url}/gzip`, { decompress: false, responseType: "arraybuffer" }),
      "said to be gzip": () => axios.get(`${url}/not-gzip`),
      bom: () => axios.get(`${url}/bom`),
      headers: () => axios.get(`${url}/headers`),
      empty: () => axios.get(`${url}/empty`),
      head: () => axios.head(`${url}/gzip`),
      "url: new URL()": () => axios({ url: new URL(`${url}/json?x=ü y`) }),
      "get(new URL())": () => axios.get(new URL(`${url}/json?x=1#hash`)),
      "an address with odd letters": () => axios.get(`${url}/a b/%C3%BC/[x]|'"?q=a b&r=%41{}`),
      "an address with credentials": () => axios.get("https://me:p%40ss@api.example.com/json"),
    },
    shown,
  );
}
