import { postJson, postText, type Scenario, tick } from "../scenario.ts";

const boundary = "----form";
const parts = [
  `--${boundary}\r\ncontent-disposition: form-data; name="note"\r\n\r\nü 1`,
  `--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nin it`,
  `--${boundary}--\r\n`,
].join("\r\n");

export const streamFlows: readonly Scenario[] = [
  {
    title: "streams are transformed, compressed, hashed, mapped and broken",
    component: "streams/transforms.mjs",
    packages: [],
    steps: [tick],
    upstream: () => ({ body: "one ü\ntwo\n\nlast" }),
  },
  {
    title: "lines of JSON are read from a response, and a bad one ends the run",
    component: "streams/ndjson.mjs",
    packages: ["split2"],
    steps: [tick, tick, tick],
    upstream: (_, count) => ({
      body: count === 2 ? "{bad\n" : [1, 2].map((id) => JSON.stringify({ id: id + count, at: id })).join("\n"),
    }),
  },
  {
    title: "a CSV export is parsed and written again",
    component: "streams/csv-export.mjs",
    packages: ["csv-parser", "csv-stringify"],
    steps: [tick],
    upstream: () => ({ body: 'id; name\n1;"Zoë; ""Z"""\n2;b\n' }),
  },
  {
    title: "an archive is made and opened",
    component: "streams/archive.mjs",
    packages: ["jszip"],
    steps: [postJson({ "a.txt": "ü".repeat(50), "b/c.txt": "c" })],
  },
  {
    title: "a form with a file is taken apart",
    component: "streams/uploads.mjs",
    packages: ["busboy"],
    steps: [postText(parts, `multipart/form-data; boundary=${boundary}`), postText("x", "text/plain")],
  },
  {
    title: "parts of a large JSON document are read as they come",
    component: "streams/json-parts.mjs",
    packages: ["stream-json", "stream-chain"],
    steps: [tick],
    upstream: () => ({ body: { data: { other: 1, rows: [{ a: "ü" }, [1, 2], null] } } }),
  },
  {
    title: "forms of the Web are answered with bodies of several kinds",
    component: "forms/answers.mjs",
    packages: [],
    steps: ["json", "text", "none", "number"].map((want) =>
      postText(`list[]=a+b&list[]=%C3%BC&want=${want}`, "application/x-www-form-urlencoded"),
    ),
    upstream: () => ({ status: 204 }),
  },
  {
    title: "a form sent to CommonJS files is confirmed and redirected",
    component: "common-family/submission.cjs",
    packages: ["axios", "lodash.get"],
    auth: { forms: {} },
    steps: [
      postText("id=1&name=Zo%C3%AB", "application/x-www-form-urlencoded"),
      postText("id=2", "application/x-www-form-urlencoded"),
    ],
    upstream: (_, count) => ({ body: { ok: true, ...(count === 0 && { links: { next: "/thanks" } }) } }),
  },
];
