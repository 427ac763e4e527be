import axios from "axios";
import FormData from "form-data";

/** Sends a file that a webhook names, as multipart, by both libraries. */
export default {
  name: "Upload",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  async run({ body }) {
    const { data: bytes, headers } = await axios.get(body.url, { responseType: "arraybuffer" });
    const form = new FormData();
    form.append("title", "Über & co");
    form.append("file", Buffer.from(bytes), { filename: "ä report.bin", contentType: headers["content-type"] });
    form.append("options", JSON.stringify({ keep: true }), { contentType: "application/json" });
    const { data } = await axios.post("https://files.example.com/upload", form, {
      headers: { ...form.getHeaders(), Authorization: "Bearer up" },
    });
    const buffered = new FormData();
    buffered.append("only", "text");
    const sent = await axios.put("https://files.example.com/upload", buffered.getBuffer(), {
      headers: buffered.getHeaders(),
      maxBodyLength: Infinity,
    });
    this.$emit({ id: data.id, again: sent.data.id, length: form.getLengthSync() }, { id: data.id });
  },
};
