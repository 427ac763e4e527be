import inflection from "inflection";
import mime from "mime";
import database from "mime-db";
import mimeTypes from "mime-types";
import slugify from "slugify";

export default {
  name: "Words",
  version: "0.0.1",
  props: {},
  run() {
    this.$emit({
      plural: ["person", "order", "category"].map((word) => inflection.pluralize(word)),
      title: inflection.titleize("new_order_created"),
      slug: slugify("Grüße & Küsse: 50% off!", { lower: true, strict: true }),
      types: ["a.pdf", "b.tar.gz", "c.unknown"].map((name) => mime.getType(name)),
      extension: mime.getExtension("image/svg+xml"),
      content: [mimeTypes.contentType("x.json"), mimeTypes.charset("text/html"), mimeTypes.lookup("y")],
      known: database["application/json"].compressible,
    });
  },
};
