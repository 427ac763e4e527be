import * as cheerio from "cheerio";
import * as graph from "@microsoft/microsoft-graph-client";
import * as graphql from "graphql";
import * as linear from "@linear/sdk";
import * as luxon from "luxon";
import * as mailgun from "mailgun.js";
import * as monday from "monday-sdk-js";
import * as notion from "@notionhq/client";
import * as slack from "@slack/web-api";
import * as uuid from "uuid";

const all = { cheerio, graph, graphql, linear, luxon, mailgun, monday, notion, slack, uuid };
const added = new Set(["module.exports", "__esModule"]);

/** How many exports of each kind, and what the default is. */
const shown = (module) => {
  const counts = {};
  for (const name of Object.keys(module).filter((name) => !added.has(name) && name !== "default")) {
    const kind = typeof module[name];
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const { default: byDefault } = module;
  const inner = byDefault && typeof byDefault === "object" ? Object.keys(byDefault).length : 0;
  return {
    byDefault: typeof byDefault,
    inner: inner > 0,
    names: Object.keys(module)
      .filter((name) => !added.has(name))
      .sort()
      .slice(0, 12),
    some: Object.keys(counts).sort(),
  };
};

export default {
  name: "Builds",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run() {
    for (const [name, module] of Object.entries(all)) this.$emit({ name, ...shown(module) });
  },
};
