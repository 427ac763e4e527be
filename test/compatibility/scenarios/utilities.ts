import { generateKeyPairSync } from "node:crypto";

import { postJson, postText, type Scenario, tick } from "../scenario.ts";

const pair = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
/** An RSA key of this run, as props. */
export const keyProps = { key: pair.privateKey, publicKey: pair.publicKey };

const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
<title>News &amp; more</title><link>https://news.example.com</link>
<item><title>Second</title><guid>n-2</guid><pubDate>Fri, 02 Jan 2026 10:00:00 GMT</pubDate>
<description><![CDATA[<p>Two</p>]]></description></item>
<item><title>First ✓</title><guid>n-1</guid><pubDate>Thu, 01 Jan 2026 10:00:00 GMT</pubDate>
<media:credit>me</media:credit></item></channel></rss>`;
const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title>
<entry><title>One &lt;1&gt;</title><link href="https://e.example/1"/><id>urn:1</id></entry></feed>`;
const page = `<html><head><title>News</title></head><body><h1>Today</h1><p class="old">old</p>
<p>See <a href="/a?x=1&amp;y=2">the  first</a> and <a href="https://o.example">other</a>.</p><ul><li>one<li>two</ul></body></html>`;
const orders = [
  { id: 2, city: "Oslo", total: 5, lines: [{ sku: "a" }, { sku: "b" }] },
  { id: 1, city: "Bergen", total: 7, lines: [] },
  { id: 2, city: "Oslo", total: 5, lines: [] },
];

const dates: readonly Scenario[] = [
  ["meetings in several zones", "dates/moment-zones.mjs", ["moment", "moment-timezone"]],
  ["windows of time with plugins", "dates/dayjs-windows.mjs", ["dayjs"]],
  ["slots of an interval, in words", "dates/luxon-slots.mjs", ["luxon"]],
  [
    "due dates and the next of a cron",
    "dates/due-dates.mjs",
    ["date-fns", "cron-parser", "dateformat", "timezones-list"],
  ],
].map(([title, component, packages]) => ({ title, component, packages, steps: [tick] }) as Scenario);

const parsing: readonly Scenario[] = [
  {
    title: "a feed is read over https, new items are emitted once",
    component: "parsing/rss-feed.mjs",
    packages: ["rss-parser"],
    props: { url: "https://news.example.com/rss" },
    steps: [tick, tick],
    headers: ["x-reader", "accept"],
    upstream: (_request, count) =>
      count === 0 ? { headers: { "content-type": "application/rss+xml" }, body: rss } : { status: 503, body: "later" },
  },
  {
    title: "a feed is parsed from a stream",
    component: "parsing/feed-stream.mjs",
    packages: ["feedparser"],
    steps: [tick],
    upstream: () => ({ body: atom }),
  },
  {
    title: "an order in XML is read, checked and answered",
    component: "parsing/xml-orders.mjs",
    packages: ["fast-xml-parser", "xml-js"],
    steps: [
      postText(`<order id="7"><line qty="2">Käse</line><line>Brot</line></order>`, "application/xml"),
      postText("<order><line></order>", "application/xml"),
    ],
  },
  {
    title: "rows of a CSV export are read from a stream; a broken one throws",
    component: "parsing/csv-rows.mjs",
    packages: ["csv-parse"],
    steps: [tick],
    upstream: () => ({ headers: { "content-type": "text/csv" }, body: '\uFEFFid,name\n1,"A, ""quoted"""\n\n2, B \n' }),
  },
  {
    title: "links and text of a page",
    component: "parsing/page-text.mjs",
    packages: ["cheerio", "he", "html-to-text"],
    steps: [tick],
    upstream: () => ({ headers: { "content-type": "text/html" }, body: page }),
  },
  {
    title: "pages are followed by the link header",
    component: "parsing/link-pages.mjs",
    packages: ["parse-link-header", "qs", "query-string"],
    steps: [tick],
    upstream: ({ url }, count) => {
      const next = `<${url.split("&page")[0]}&page=${count + 2}>; rel="next", <https://api.example.com/things>; rel="first"`;
      return { headers: count < 2 ? { link: next } : {}, body: [count] };
    },
  },
];

const values: readonly Scenario[] = [
  {
    title: "orders are grouped, sorted and shown",
    component: "values/groups.mjs",
    packages: ["lodash", "lodash.get", "lodash.template", "lodash.uniqby", "lodash.sortby", "lodash.flatmap"],
    steps: [postJson({ orders })],
  },
  { title: "ids of several kinds", component: "values/ids.mjs", packages: ["uuid", "nanoid", "uuidv4"], steps: [tick] },
  {
    title: "digests of packages, the same in both",
    component: "values/digests.mjs",
    packages: ["crypto-js", "js-base64", "md5", "object-hash"],
    steps: [tick, tick],
  },
  {
    title: "tokens are signed, verified and refused",
    component: "values/tokens.mjs",
    packages: ["jsonwebtoken", "jwt-simple"],
    props: keyProps,
    steps: [tick],
  },
  {
    title: "words and types of files",
    component: "values/words.mjs",
    packages: ["inflection", "mime", "mime-db", "mime-types", "slugify"],
    steps: [tick],
  },
];

const flow: readonly Scenario[] = [
  {
    title: "a request is tried again until it succeeds, is forbidden, or was tried too often",
    component: "flow/retried.mjs",
    packages: ["async-retry"],
    steps: [tick, tick, tick],
    upstream: (_request, count) => ({ status: [500, 502, 200, 403][count] ?? 500, body: { count } }),
  },
  {
    title: "requests wait for each other, and one is tried again",
    component: "flow/limited.mjs",
    packages: ["bottleneck"],
    steps: [tick],
    upstream: ({ url }, count) => ({ status: url.endsWith("2") && count < 3 ? 500 : 200, body: { url } }),
  },
];

/** What packages do without an API of their own. */
export const utilities: readonly Scenario[] = [...dates, ...parsing, ...values, ...flow];
