import { marked } from "marked";
import sanitize from "sanitize-html";
import TurndownService from "turndown";

export default {
  name: "Markdown",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run({ body }) {
    const html = marked.parse(body.text);
    const clean = sanitize(html, {
      allowedTags: ["p", "a", "em", "ul", "li", "h1"],
      allowedAttributes: { a: ["href"] },
    });
    this.$emit({ html, clean, back: new TurndownService({ headingStyle: "atx" }).turndown(clean) });
  },
};
