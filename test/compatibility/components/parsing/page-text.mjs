import { load } from "cheerio";
import he from "he";
import { convert } from "html-to-text";

export default {
  name: "Text of a page",
  version: "0.0.1",
  props: {},
  async run() {
    const html = await (await fetch("https://www.example.com/news")).text();
    const $ = load(html);
    const links = $("a[href]")
      .map((_, each) => ({
        text: $(each).text().trim(),
        to: new URL($(each).attr("href"), "https://www.example.com/news").href,
      }))
      .get();
    $("p.old").remove();
    this.$emit({ title: $("title").text(), links, rest: $.html("p") });
    this.$emit({
      text: convert(html, { wordwrap: 40, selectors: [{ selector: "a", options: { ignoreHref: true } }] }),
    });
    this.$emit({
      decoded: he.decode("&lt;&eacute;&#x1F600;&amp;amp;"),
      encoded: he.encode("<é😀>", { useNamedReferences: true }),
    });
  },
};
