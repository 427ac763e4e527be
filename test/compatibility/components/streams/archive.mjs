import JSZip from "jszip";

export default {
  name: "Archive",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run({ body }) {
    const zip = new JSZip();
    for (const [name, text] of Object.entries(body)) zip.file(name, text, { date: new Date(0) });
    const bytes = await zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" });
    const back = await JSZip.loadAsync(bytes);
    const files = {};
    for (const name of Object.keys(back.files).sort()) files[name] = await back.file(name)?.async("string");
    const broken = await JSZip.loadAsync(Buffer.from("no zip")).catch(({ message }) => message.slice(0, 40));
    this.$emit({ files, broken, is: Buffer.isBuffer(bytes), begins: bytes.subarray(0, 2).toString() });
    this.http.respond({ status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(files) });
  },
};
