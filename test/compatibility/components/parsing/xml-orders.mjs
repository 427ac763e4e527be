import { XMLBuilder, XMLParser, XMLValidator } from "fast-xml-parser";
import convert from "xml-js";

export default {
  name: "Orders in XML",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  run({ bodyRaw }) {
    const valid = XMLValidator.validate(bodyRaw);
    if (valid !== true) return this.http.respond({ status: 400, body: valid.err });
    const order = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "@" }).parse(bodyRaw);
    this.$emit(order);
    this.$emit(convert.xml2js(bodyRaw, { compact: true, trim: true }));
    this.http.respond({
      status: 200,
      headers: { "content-type": "application/xml" },
      body: new XMLBuilder({ format: true }).build({ answer: { seen: order.order["@id"], text: "a & b" } }),
    });
  },
};
