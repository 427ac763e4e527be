import { Readable } from "node:stream";

import FormDataPackage from "form-data";

import { outcomes } from "./shown.mjs";

/** Bodies of every kind, with every method. */
export default function bodies(axios) {
  const url = "https://api.example.com/body";
  const type = (value) => ({ headers: { "Content-Type": value } });
  const webForm = () => {
    const form = new FormData();
    form.append("name", "Zoë");
    form.append("file", new Blob(["a,b\n"], { type: "text/csv" }), "rows.csv");
    form.append("again", new File(["ü"], "u.txt", { type: "text/plain" }));
    return form;
  };
  const packageForm = () => {
    const form = new FormDataPackage();
    form.append("name", "Zoë");
    form.append("file", Buffer.from("a,b\n"), { filename: "rows.csv", contentType: "text/csv" });
    form.append("late", Readable.from([Buffer.from("streamed")]), { filename: "late.txt", knownLength: 8 });
    return form;
  };
  return outcomes(axios, {
    "data on GET": () => axios.get(url, { data: { q: "in a body" } }),
    "data on HEAD": () => axios.head(url, { data: { q: "in a body" } }).then(({ status }) => ({ status, data: "" })),
    "data on DELETE": () => axios.delete(url, { data: { reason: "old" } }),
    "data on OPTIONS": () => axios({ method: "options", url, data: "text" }),
    "text on GET": () => axios({ url, data: "plain", ...type("text/plain") }),
    URLSearchParams: () => axios.post(url, new URLSearchParams({ a: "1 2", b: "ü" })),
    "web FormData": () => axios.post(url, webForm()),
    "form-data": () => {
      const form = packageForm();
      return axios.post(url, form, { headers: form.getHeaders() });
    },
    "form-data without its headers": () => axios.post(url, packageForm()),
    Blob: () => axios.post(url, new Blob(["blob ü"], { type: "text/x-blob" })),
    "a stream of texts": () => axios.post(url, Readable.from(["one ", "zwö"]), type("text/plain")),
    "a stream of buffers": () =>
      axios.put(url, Readable.from([Buffer.from("one "), Buffer.from([0, 255])]), type("a/b")),
    Buffer: () => axios.patch(url, Buffer.from([1, 2, 3, 0]), type("application/octet-stream")),
    ArrayBuffer: () => axios.post(url, new Uint8Array([1, 2, 3]).buffer, type("application/octet-stream")),
    Uint8Array: () => axios.post(url, new Uint8Array([4, 5, 6]), type("application/octet-stream")),
    "JSON of its own": () => axios.post(url, JSON.stringify({ a: 1 }), type("application/json")),
    "text as JSON": () => axios.post(url, "text", type("application/json")),
    array: () => axios.post(url, [1, { b: null }, "ü"]),
    number: () => axios.post(url, 7),
    "a date and what JSON leaves out": () => axios.post(url, { at: new Date(0), none: undefined, nan: NaN }),
    nothing: () => axios.post(url),
    null: () => axios.post(url, null, type("application/json")),
    object: () => axios.post(url, { a: [1, 2], b: { c: "d" } }, type("application/x-www-form-urlencoded")),
    "multipart by its type": () => axios.post(url, { a: 1, list: ["x", "y"] }, type("multipart/form-data")),
    "too large": () => axios.post(url, "x".repeat(100), { maxBodyLength: 10 }),
    "a stream that fails": () =>
      axios.post(
        url,
        Readable.from(
          (function* () {
            yield "begun";
            throw new Error("disk full");
          })(),
        ),
      ),
  });
}
