import { type Answer, type Scenario, tick } from "../scenario.ts";

const graph: Answer = ({ url }) =>
  url.includes("/nothing")
    ? { status: 404, body: { error: { code: "ResourceNotFound", message: "No" } } }
    : { body: { value: [1, 2].map((each) => ({ id: `e${each}`, subject: `Ü ${each}` })) } };

/** What imports give, of files and of packages. */
export const interop: readonly Scenario[] = [
  {
    title: "a .js module imports compiled CommonJS by default",
    component: "interop/default-of-compiled.js",
    packages: [],
    steps: [tick],
  },
  {
    title: "a .ts module imports compiled CommonJS by default",
    component: "interop/typed-default.ts",
    packages: [],
    steps: [tick],
  },
  {
    title: "a CommonJS component imports CommonJS, a module and its own files later",
    component: "interop/common-importing.cjs",
    packages: ["nanoid", "lodash.sortby"],
    steps: [tick],
  },
  {
    title: "Microsoft Graph's client is used by its default import",
    component: "interop/graph-client.js",
    packages: ["@microsoft/microsoft-graph-client"],
    auth: { outlook: { oauth_access_token: "ms" } },
    steps: [tick],
    upstream: graph,
  },
  {
    title: "default imports of many packages",
    component: "interop/defaults.js",
    packages: [
      ..."async-retry bottleneck chargebee crypto-js dateformat form-data he jsonwebtoken".split(" "),
      ..."parse-link-header lodash.get md5 object-hash qs rss-parser slugify xml-js".split(" "),
    ],
    steps: [tick],
  },
  {
    title: "everything that packages with several builds export",
    component: "interop/builds.js",
    packages: [
      ..."cheerio @microsoft/microsoft-graph-client graphql @linear/sdk luxon mailgun.js".split(" "),
      ..."monday-sdk-js @notionhq/client @slack/web-api uuid".split(" "),
    ],
    steps: [tick],
  },
  {
    title: "bytes in every encoding",
    component: "values/encodings.mjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "sockets are made and thrown away",
    component: "flow/sockets.mjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "addresses and queries are taken apart",
    component: "values/addresses.mjs",
    packages: [],
    steps: [tick],
  },
];
