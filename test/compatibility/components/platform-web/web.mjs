/** The Web platform as components use it. */
const attempt = async (work) => {
  try {
    return await work();
  } catch (error) {
    return [error.name, error.code ?? null];
  }
};

export default {
  name: "Web platform",
  version: "0.0.1",
  props: {},
  async run() {
    const form = new FormData();
    form.append("file", new Blob(["a,b\n1,2\n"], { type: "text/csv" }), "ä.csv");
    form.append("note", "line\nbreak");
    const uploaded = await fetch("https://api.example.com/upload", { method: "POST", body: form });
    const posted = await fetch(
      new Request("https://api.example.com/form", {
        method: "PUT",
        body: new URLSearchParams({ q: "a b&c" }),
        headers: { "X-Own": "1" },
      }),
    );
    const chunks = [];
    for await (const chunk of posted.body.pipeThrough(new TextDecoderStream())) chunks.push(chunk);
    const reader = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("streamed "));
        controller.enqueue(new TextEncoder().encode("body"));
        controller.close();
      },
    });
    const signal = AbortSignal.timeout(1);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    const copy = structuredClone({
      at: new Date(0),
      map: new Map([["k", new Set([1])]]),
      bytes: new Uint8Array([1, 2]),
    });
    this.$emit({
      uploaded: [uploaded.status, uploaded.ok, uploaded.headers.get("x-answer"), await uploaded.json()],
      text: chunks.join(""),
      streamed: await new Response(reader).text(),
      aborted: [signal.aborted, signal.reason.name],
      refused: await attempt(() => fetch("https://api.example.com/slow", { signal: AbortSignal.abort() })),
      urls: [
        await attempt(() => new URL("no url")),
        new URL("https://EXAMPLE.com:443/ä?q=ü").href,
        URL.canParse("x:y"),
      ],
      headers: [
        ...new Headers([
          ["B", "2"],
          ["a", "1"],
          ["b", "3"],
        ]),
      ],
      clone: [copy.at.toISOString(), copy.map.get("k").has(1), [...copy.bytes]],
      base64: [btoa("binary"), atob("YQ=="), await attempt(() => atob("*"))],
      text2: new TextDecoder("windows-1252").decode(new Uint8Array([0x80, 0xe9])),
      blob: await new Blob(["ab", new Uint8Array([99])]).slice(1).text(),
      json: await Response.json({ a: 1 }, { status: 201 }).json(),
      agents: typeof navigator.userAgent,
      ordered: await new Promise((resolve) => {
        const seen = [];
        setTimeout(() => resolve([...seen, "timeout"]), 100);
        setImmediate(() => seen.push("immediate"));
        queueMicrotask(() => seen.push("microtask"));
        process.nextTick(() => seen.push("tick"));
      }),
    });
  },
};
