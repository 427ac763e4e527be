import asyncRetry from "async-retry";
import bottleneck from "bottleneck";
import chargebee from "chargebee";
import cryptoJs from "crypto-js";
import dateformat from "dateformat";
import FormData from "form-data";
import he from "he";
import jwt from "jsonwebtoken";
import link from "parse-link-header";
import lodashGet from "lodash.get";
import md5 from "md5";
import objectHash from "object-hash";
import qs from "qs";
import RssParser from "rss-parser";
import slugify from "slugify";
import xml from "xml-js";

const all = {
  asyncRetry,
  bottleneck,
  chargebee,
  cryptoJs,
  dateformat,
  FormData,

  he,
  jwt,
  link,
  lodashGet,
  md5,
  objectHash,
  qs,
  RssParser,
  slugify,
  xml,
};

export default {
  name: "Defaults",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run() {
    for (const [name, value] of Object.entries(all))
      this.$emit({
        name,
        kind: typeof value,
        keys: Object.keys(value)
          .filter((key) => key !== "default")
          .sort()
          .slice(0, 40),
      });
  },
};
