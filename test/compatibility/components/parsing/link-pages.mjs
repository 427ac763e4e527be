import parseLinkHeader from "parse-link-header";
import qs from "qs";
import queryString from "query-string";

export default {
  name: "Pages by links",
  version: "0.0.1",
  props: { db: "$.service.db" },
  async run() {
    let url = `https://api.example.com/things?${qs.stringify({ filter: { state: ["open", "new"], since: null }, per_page: 2 }, { arrayFormat: "brackets" })}`;
    for (let page = 0; url && page < 5; page++) {
      const answer = await fetch(url);
      const links = parseLinkHeader(answer.headers.get("link"));
      this.$emit({
        things: await answer.json(),
        links,
        asked: qs.parse(new URL(url).search, { ignoreQueryPrefix: true }),
      });
      url = links?.next?.url;
    }
    this.db.set("strings", {
      parsed: queryString.parse("?a=1&a=2&b=%20x&c", { parseNumbers: true }),
      built: queryString.stringifyUrl(
        { url: "https://e.example/p#f", query: { z: 1, a: ["x", "y"] } },
        { arrayFormat: "comma" },
      ),
    });
  },
};
