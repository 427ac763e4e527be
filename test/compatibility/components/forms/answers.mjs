export default {
  name: "Answers",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run({ method, headers, body, query }) {
    const form = new URLSearchParams(typeof body === "string" ? body : "");
    const data = new FormData();
    for (const [name, value] of form) data.append(name, value);
    data.append("file", new Blob(["a,b\n"], { type: "text/csv" }), "ü.csv");
    const sent = await fetch("https://collect.example.com/", { method: "POST", body: data });
    const copy = await new Response(data).formData();
    this.$emit({
      all: form.getAll("list[]"),
      keys: [...data.keys()],
      size: copy.get("file").size,
      name: copy.get("file").name,
      status: sent.status,
      method,
      query,
    });
    const bodies = {
      json: { a: 1 },
      text: "plain ü",
      bytes: Buffer.from([1, 2]),
      none: undefined,
      number: 7,
      list: [1],
    };
    this.http.respond({
      status: "201",
      headers: { "x-type": headers["content-type"], "set-cookie": ["a=1", "b=2"] },
      body: bodies[form.get("want")],
    });
  },
};
