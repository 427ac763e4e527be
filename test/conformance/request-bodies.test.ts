import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type List, type Service, type SourceBody, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** A source whose runs emit the whole event. */
const catcher = (): Promise<SourceBody> =>
  service.deploy(component({ name: "Catcher", props: 'http: "$.interface.http"', run: "this.$emit(event)" }));

/** The event of one request. */
async function caught(path: string, init: RequestInit): Promise<Record<string, unknown>> {
  const source = await catcher();
  expect((await service.hit(source, path, init)).status).toBe(200);
  await service.runtime.idle();
  const [event] = await service.emitted(source.id);
  return event as Record<string, unknown>;
}

test("G36 a body is parsed by its type", async () => {
  const body = async (type: string, text: string): Promise<unknown> =>
    (await caught("", { method: "POST", headers: { "content-type": type }, body: text }))["body"];
  expect(await body("application/vnd.acme+json; charset=utf-8", "[1]")).toEqual([1]);
  expect(await body("application/json", "{broken")).toBe("{broken");
  expect(await body("application/x-www-form-urlencoded", "a=1&b=2")).toBe("a=1&b=2");
  expect(await body("text/plain", '{"a":1}')).toBe('{"a":1}');
  expect(await caught("", { method: "POST" })).not.toHaveProperty("body");
});

test("S25 files of a multipart body are inline in the event", async () => {
  const form = new FormData();
  form.set("name", "report");
  form.set("file", new File([Uint8Array.of(1, 2, 255)], "r.bin", { type: "application/octet-stream" }));
  const event = await caught("", { method: "POST", body: form });
  expect(event["body"]).toEqual({
    name: "report",
    file: { filename: "r.bin", mimetype: "application/octet-stream", size: 3, content_b64: "AQL/" },
  });
});

test("S26 bodyRaw is the exact text, and bytes that are not text are body_b64", async () => {
  const text = await caught("", { method: "POST", body: " \u{1F600}\r\n\u0000 " });
  expect(text["bodyRaw"]).toBe(" \u{1F600}\r\n\u0000 ");
  expect(text).not.toHaveProperty("body_b64");
  const bytes = await caught("", { method: "POST", body: Uint8Array.of(0xff, 0xfe, 0x41) });
  expect(bytes["body_b64"]).toBe("//5B");
});

test("S47 a body in its own charset is text, and what is not understood is one warning in $logs", async () => {
  const sent = async (type: string, body: Uint8Array<ArrayBuffer>) => {
    const source = await catcher();
    await service.hit(source, "", { method: "POST", headers: { "content-type": type }, body });
    await service.runtime.idle();
    const [event] = (await service.emitted(source.id)) as { bodyRaw: string; body: unknown; body_b64?: string }[];
    const logs = await service.call<List<{ k: string; msg: string }>>("GET", `/sources/${source.id}/logs`);
    return { event, logs: logs.body.data };
  };
  const latin = new Uint8Array(Buffer.from("caf\u00e9", "latin1"));
  expect(await sent("text/plain; charset=iso-8859-1", latin)).toMatchObject({
    event: { body: "café", bodyRaw: "café", body_b64: Buffer.from(latin).toString("base64") },
    logs: [],
  });
  for (const padding of [0, 8_000]) {
    const text = new Uint8Array(Buffer.from(`a${" ".repeat(padding)}`));
    const { event, logs } = await sent("text/plain; charset=none", text);
    expect(event).toMatchObject({ bodyRaw: `a${" ".repeat(padding)}` });
    expect(logs).toMatchObject([
      { k: "console.warn", msg: expect.stringContaining('The charset "none"'), execution_id: expect.any(String) },
    ]);
  }
  const part = (head: string) => `--x\r\n${head}\r\n\r\n1\r\n`;
  const form = `${part("Content-Disposition: form-data")}${part("Content-Disposition: form-data; name=a")}--x--`;
  const { event, logs } = await sent("multipart/form-data; boundary=x", new Uint8Array(Buffer.from(form)));
  expect(event).toMatchObject({ body: { a: "1" } });
  expect(logs).toMatchObject([{ msg: "A part of the multipart body had no name and was left out" }]);
});
