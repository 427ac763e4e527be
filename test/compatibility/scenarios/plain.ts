import { createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";

import { postJson, type Scenario, tick } from "../scenario.ts";
import { keyProps } from "./utilities.ts";

const order = { id: "o-1", text: "Grüße \u0000 ✓" };
const sign = (text: string): string => `sha256=${createHmac("sha256", "s3cret").update(text).digest("hex")}`;

/** Components of nothing but the platform: they need no download. */
export const plain: readonly Scenario[] = [
  {
    title: "a webhook signed by HMAC is verified over its exact body",
    component: "webhooks/signed-by-hmac.mjs",
    packages: [],
    props: { secret: "s3cret" },
    steps: [
      postJson(order, { "x-signature": sign(JSON.stringify(order)) }),
      postJson(order, { "x-signature": sign("another") }),
    ],
  },
  {
    title: "pages are read by an async generator, and the place is kept",
    component: "polling/pages.mjs",
    packages: [],
    steps: [tick, tick],
    upstream: ({ url }) => {
      const { searchParams } = new URL(url);
      const base = searchParams.get("since") === null ? 0 : 10;
      if (searchParams.get("cursor") === "2") return { body: { items: [{ id: base + 3, at: base + 3 }] } };
      return { body: { items: [1, 2].map((each) => ({ id: base + each, at: base + each })), next: "2" } };
    },
  },
  {
    title: "dates, numbers and texts of several languages",
    component: "dates/locales.mjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "listeners, promises of callbacks, and an error nobody listens for",
    component: "flow/emitters.mjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "a compressed log is read line by line; what is not compressed throws",
    component: "flow/streams.mjs",
    packages: [],
    steps: [tick],
    upstream: () => ({ body: gzipSync("Zeile 1 ü\nline 2\n\nlast") }),
  },
  {
    title: "temporary files are written, read and removed; an absent one throws",
    component: "flow/temporary-files.mjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "requests with callbacks, and addresses as they were once parsed",
    component: "flow/legacy-http.mjs",
    packages: [],
    steps: [tick],
    headers: ["x-client", "content-length"],
    upstream: ({ body }) => ({ status: 201, body: { got: body.toString() } }),
  },
  {
    title: "what packages ask of Node while they load",
    component: "flow/scripts.mjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "sealed, signed and derived; an unknown digest throws",
    component: "flow/sealed.mjs",
    packages: [],
    props: keyProps,
    steps: [tick],
  },
  {
    title: "forms, streams, signals, clones and encodings of the Web platform",
    component: "platform-web/web.mjs",
    packages: [],
    steps: [tick],
    headers: ["x-own"],
    upstream: () => ({ headers: { "x-answer": "yes" }, body: { ok: "ü" } }),
  },
  {
    title: "methods are bound wherever they go, and may be named like hooks",
    component: "traps/bound.mjs",
    packages: [],
    auth: { acme: { token: "t1" }, again: { token: "t2" } },
    steps: [tick, tick, tick],
    upstream: ({ url }) => ({
      body: url.endsWith("more") ? [{ id: "m", ts: 9 }] : [1, 2, 3].map((id) => ({ id, ts: id })),
    }),
  },
  {
    title: "a CommonJS module answers without waiting",
    component: "traps/common.cjs",
    packages: [],
    steps: [postJson({ text: "\u0000✓" })],
  },
];
