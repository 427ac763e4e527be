import { Builder, parseStringPromise } from "xml2js";
import { create } from "xmlbuilder2";

export default {
  name: "SOAP",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const body = create({ version: "1.0", encoding: "UTF-8" })
      .ele("soap:Envelope", { "xmlns:soap": "http://schemas.xmlsoap.org/soap/envelope/" })
      .ele("soap:Body")
      .ele("List")
      .ele("since")
      .txt("2026-01-01 <ü>")
      .up()
      .up()
      .up()
      .end({ prettyPrint: true });
    const answer = await fetch("https://soap.example.com/", {
      method: "POST",
      headers: { "content-type": "text/xml", soapaction: "List" },
      body,
    });
    const parsed = await parseStringPromise(await answer.text(), {
      explicitArray: false,
      tagNameProcessors: [(name) => name.replace(/^.*:/, "")],
    });
    for (const item of parsed.Envelope.Body.ListResponse.Item) this.$emit(item);
    this.$emit({
      built: new Builder({ headless: true, renderOpts: { pretty: false } }).buildObject({
        a: { $: { id: 1 }, b: ["x", "y"] },
      }),
    });
    this.$emit(await parseStringPromise("<a><b></a>").catch(({ message }) => ({ message })));
  },
};
