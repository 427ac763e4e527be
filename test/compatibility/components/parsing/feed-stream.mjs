import { Readable } from "node:stream";

import FeedParser from "feedparser";

const read = (text) =>
  new Promise((resolve, reject) => {
    const found = [];
    const parser = new FeedParser({ normalize: true });
    parser.on("error", reject);
    parser.on("readable", () => {
      for (let item = parser.read(); item; item = parser.read())
        found.push({ title: item.title, link: item.link, guid: item.guid });
    });
    parser.on("end", () => resolve({ title: parser.meta.title, found }));
    Readable.from([text.slice(0, 100), text.slice(100)]).pipe(parser);
  });

export default {
  name: "Feed by stream",
  version: "0.0.1",
  props: {},
  async run() {
    const answer = await fetch("https://feeds.example.com/atom.xml");
    this.$emit(await read(await answer.text()));
  },
};
