import http from "node:http";
import https from "node:https";
import querystring from "node:querystring";
import url from "node:url";

const get = (address) =>
  new Promise((resolve, reject) => {
    https
      .get(address, { headers: { "x-client": "legacy" } }, (response) => {
        response.setEncoding("utf8");
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, type: response.headers["content-type"], text }),
        );
      })
      .on("error", reject);
  });

const post = (path, form) =>
  new Promise((resolve, reject) => {
    const body = querystring.stringify(form);
    const request = http.request(
      {
        hostname: "api.example.com",
        path,
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "content-length": Buffer.byteLength(body),
          "x-client": "legacy",
        },
      },
      async (response) => {
        const chunks = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) });
      },
    );
    request.on("error", reject);
    request.write(body.slice(0, 3));
    request.end(body.slice(3));
  });

export default {
  name: "Legacy HTTP",
  version: "0.0.1",
  props: {},
  async run() {
    this.$emit(await get("https://api.example.com/a?b=%20c"));
    this.$emit(await post("/form", { a: ["1", "2"], b: "ü &" }));
    const parsed = url.parse("https://u:p@h.example:8080/p/a?x=1&y=2#f", true);
    this.$emit({
      parsed: { ...parsed, query: { ...parsed.query } },
      formatted: url.format({ protocol: "https", host: "h.example", pathname: "/a b", query: { q: "1 2" } }),
      resolved: url.resolve("https://h.example/a/b", "../c?d"),
      query: { ...querystring.parse("a=1&a=2&b=%C3%BC+x") },
    });
  },
};
