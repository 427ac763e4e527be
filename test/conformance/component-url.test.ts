import { createServer } from "node:http";

import { createEngine, type Engine } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type ComponentBody, component, type Data, type Reply, type Service, startService } from "./fixture.ts";

/** The answer of a code server at a path. */
interface Answer {
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

interface CodeServer extends AsyncDisposable {
  readonly url: string;
  /** Answers by path; others are 404. */
  readonly files: Map<string, string | Answer>;
  /** Requested paths in order, with the original URL when there is one. */
  readonly asked: string[];
  readonly authorizations: (string | undefined)[];
}

/** A loopback server that serves code. */
async function startCodeServer(): Promise<CodeServer> {
  const files: CodeServer["files"] = new Map();
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((incoming, outgoing) => {
    const original = incoming.headers["x-original-url"];
    asked.push(typeof original === "string" ? original : (incoming.url ?? ""));
    authorizations.push(incoming.headers.authorization);
    const found = files.get(asked.at(-1) ?? "") ?? { status: 404 };
    const { body = "", status = 200, headers = {} }: Answer = typeof found === "string" ? { body: found } : found;
    outgoing.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    files,
    asked,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

let engine: Engine;
let service: Service;
let code: CodeServer;
let other: CodeServer;
beforeAll(async () => {
  code = await startCodeServer();
  other = await startCodeServer();
  engine = await createEngine({ workers: 0, limits: { codeBytes: 20_000, codeFiles: 5 } });
  service = await startService({ network: { mode: "allow-private", deny: ["denied.test", "127.0.0.9"] }, engine });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await engine.close();
  await Promise.all([code, other].map((each) => each[Symbol.asyncDispose]()));
});

const save = (url: string): Promise<Reply<Data<ComponentBody & { component_url: string | null }>>> =>
  service.call("POST", "/components", { component_url: url });

async function refusal(url: string, on: Service = service): Promise<{ status: number; code: string; error: string }> {
  const { status, body } = await on.call("POST", "/components", { component_url: url });
  return { status, code: body.code, error: body.error };
}

/** The error of a well-formed URL. */
async function failure(path: string): Promise<string> {
  const { status, code: name, error } = await refusal(code.url + path);
  expect([status, name], error).toEqual([422, "component_url_failed"]);
  return error;
}

const named = (name: string): string => component({ name, run: `this.$emit(${JSON.stringify(name)});` });

test("R082 a component can be saved from its URL alone", async () => {
  code.files.set("/alone.mjs", named("Alone"));
  const reply = await save(`${code.url}/alone.mjs`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body.data).toMatchObject({
    name: "Alone",
    code: named("Alone"),
    component_url: `${code.url}/alone.mjs`,
  });
});

test("R083 with code and URL nothing is fetched", async () => {
  const asked = code.asked.length;
  const body = { component_code: named("Given"), component_url: `${code.url}/given.mjs` };
  const reply = await service.call<Data<ComponentBody>>("POST", "/components", body);
  expect(reply.body.data).toMatchObject({ name: "Given", component_url: `${code.url}/given.mjs` });
  expect(code.asked.length).toBe(asked);
});

test("R086 a source is deployed from a URL, and runs the fetched code", async () => {
  code.files.set("/source.mjs", named("From afar"));
  const reply = await service.call<Data<{ id: string; name: string }>>("POST", "/sources", {
    component_url: `${code.url}/source.mjs`,
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body.data.name).toBe("from-afar");
  await service.run(reply.body.data.id);
  expect(await service.emitted(reply.body.data.id)).toEqual(["From afar"]);
});

test("R087 a URL alone is a valid reference for PUT and PATCH too", async () => {
  code.files.set("/next.mjs", named("Next"));
  code.files.set("/after.mjs", named("After"));
  const source = await service.deploy(named("First"));
  const put = await service.call("PUT", `/sources/${source.id}`, { component_url: `${code.url}/next.mjs` });
  expect([put.status, put.body], JSON.stringify(put.body)).toMatchObject([200, { data: { name: "next" } }]);
  const patch = await service.call("PATCH", `/sources/${source.id}`, { component_url: `${code.url}/after.mjs` });
  expect(patch.status, JSON.stringify(patch.body)).toBe(200);
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual(["After"]);
});

test("R088 a URL beside an id or a key is not fetched", async () => {
  const { body } = await save(`${code.url}/alone.mjs`);
  const asked = code.asked.length;
  const reply = await service.call<Data<{ component_id: string }>>("POST", "/sources", {
    component_id: body.data.id,
    component_url: `${code.url}/never.mjs`,
  });
  expect([reply.status, reply.body.data.component_id]).toEqual([200, body.data.id]);
  expect(code.asked.length).toBe(asked);
});

test("G59 a URL with the same code is the same component, and another one when the code changes", async () => {
  code.files.set("/again.mjs", named("Again"));
  const [first, second] = [await save(`${code.url}/again.mjs`), await save(`${code.url}/again.mjs`)];
  expect(second.body.data.id).toBe(first.body.data.id);
  code.files.set("/again.mjs", named("Again, changed"));
  const third = await save(`${code.url}/again.mjs`);
  expect(third.body.data).toMatchObject({ name: "Again, changed" });
  expect(third.body.data.id).not.toBe(first.body.data.id);
});

test("R082 relative imports are followed on the same origin, with and without extension", async () => {
  code.files.set(
    "/acme/sources/new.mjs",
    `import acme from "../acme.app.mjs"; import base from "../common/base";
    import limits from "../limits.json"; import { mark } from "./mark.js";
    export default { ...base, name: "New " + mark + limits.most, version: "1", props: { acme } };`,
  );
  code.files.set("/acme/acme.app.mjs", `export default { type: "app", app: "acme" };`);
  code.files.set(
    "/acme/common/base.mjs",
    `import { mark } from "../sources/mark.js";
    export default { run() { this.$emit(mark); } };`,
  );
  code.files.set("/acme/limits.json", `{ "most": 3 }`);
  code.files.set("/acme/sources/mark.js", `exports.mark = "M";`);
  const reply = await save(`${code.url}/acme/sources/new.mjs`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body.data).toMatchObject({ name: "New M3" });
  // Each file once, however often it is imported.
  expect(code.asked.filter((path) => path === "/acme/sources/mark.js")).toHaveLength(1);
  expect((await save(`${code.url}/acme/sources/new.mjs`)).body.data.id).toBe(reply.body.data.id);
  code.files.set("/acme/common/base.mjs", `export default { run() {} };`);
  expect((await save(`${code.url}/acme/sources/new.mjs`)).body.data.id).not.toBe(reply.body.data.id);
});

test("R082 TypeScript is fetched as TypeScript, and its .js imports find .ts files", async () => {
  code.files.set(
    "/ts/main.ts",
    `import { title } from "./title.js"; import type { Gone } from "./gone.ts";
    const name: string = title; export default { name, version: "1", run(this: Gone): void {} };`,
  );
  code.files.set("/ts/title.ts", `export const title: string = "Typed";`);
  const reply = await save(`${code.url}/ts/main.ts`);
  expect(reply.body.data, JSON.stringify(reply.body)).toMatchObject({ name: "Typed" });
});

test("R140 the error of a missing import names its URL and its importer", async () => {
  code.files.set("/lost.mjs", `import "./nowhere.mjs"; export default 1;`);
  expect(await failure("/lost.mjs")).toBe(
    `Component URL ${code.url}/nowhere.mjs cannot be read: lost.mjs imports it, and it answered with status 404.`,
  );
});

test("R140 fetched code that is no component is refused like sent code", async () => {
  code.files.set("/broken.mjs", "export default {\n  name: 'a'\n  b");
  expect(await refusal(`${code.url}/broken.mjs`)).toMatchObject({ status: 422, code: "bundle_failed" });
  code.files.set("/thing.mjs", "export default 5;");
  expect(await refusal(`${code.url}/thing.mjs`)).toMatchObject({ status: 400, code: "invalid_component" });
});

test("S14 a URL that cannot be read is 422 with the URL and the reason", async () => {
  expect(await failure("/absent.mjs")).toBe(
    `Component URL ${code.url}/absent.mjs cannot be read: it answered with status 404.`,
  );
  code.files.set("/error.mjs", { status: 503, body: named("Error") });
  expect(await failure("/error.mjs")).toContain("it answered with status 503");
  code.files.set("/empty.mjs", { status: 304 });
  expect(await failure("/empty.mjs")).toContain("it answered with status 304");
  code.files.set("/latin.mjs", { body: Buffer.from(named("Grüße"), "latin1") });
  expect(await failure("/latin.mjs")).toContain("it is not UTF-8 text");
  code.files.set("/page", { body: "<!doctype html><p>code", headers: { "content-type": "text/html; charset=utf-8" } });
  expect(await failure("/page")).toContain("it answered with an HTML page; give the URL of the code itself");
  const closed = await startCodeServer();
  await closed[Symbol.asyncDispose]();
  expect(await refusal(`${closed.url}/a.mjs`)).toMatchObject({
    status: 422,
    code: "component_url_failed",
    error: expect.stringMatching(
      /^Component URL http:\/\/127\.0\.0\.1:\d+\/a\.mjs cannot be read: .*ECONNREFUSED/,
    ) as string,
  });
});

test("S14 fetches that are too large, too slow or too many are refused with the limit", async () => {
  code.files.set("/large.mjs", `${named("Large")}//${"x".repeat(20_000)}`);
  expect(await failure("/large.mjs")).toContain("the body is larger than 20000 bytes");
  code.files.set("/many.mjs", `${[1, 2, 3, 4, 5].map((each) => `import "./m${each}.mjs";`).join("")} export default 1`);
  expect(await failure("/many.mjs")).toContain("it is made of more than 5 files");
  // A chain that never ends.
  for (let each = 0; each < 9; each++) code.files.set(`/c${each}.mjs`, `import "./c${each + 1}.mjs";`);
  expect(await failure("/c0.mjs")).toContain("it is made of more than 5 files");
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await new Promise((resolve) => {
    silent.once("listening", resolve);
  });
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  await using hasty = await startService({ network: { mode: "allow-private" }, limits: { codeFetchTimeoutMs: 200 } });
  const late = await refusal(`http://127.0.0.1:${port}/a.mjs`, hasty);
  expect(late.code).toBe("component_url_failed");
  expect(late.error).toContain("200 ms");
  silent.closeAllConnections();
  silent.close();
});

test("S14 a literal address that policy forbids is 400 in every spelling", async () => {
  await using strict = await startService();
  for (const url of [
    `${code.url}/alone.mjs`,
    "http://localhost/a.mjs",
    "http://169.254.169.254/latest",
    "http://0x7f000001/a.mjs",
    "http://[::ffff:10.0.0.1]/a.mjs",
  ]) {
    expect(await refusal(url, strict), url).toMatchObject({ status: 400, code: "address_forbidden" });
  }
  expect(await refusal("http://denied.test/a.mjs")).toMatchObject({ status: 400, code: "address_forbidden" });
  await using offline = await startService({ network: { mode: "none" } });
  expect(await refusal("https://example.test/a.mjs", offline)).toMatchObject({
    status: 400,
    code: "address_forbidden",
    error: expect.stringContaining("the network is off") as string,
  });
});

test("S14 a URL that is not http or https is 400 and names the parameter", async () => {
  for (const url of [
    "file:///etc/passwd",
    "ftp://example.test/a",
    "data:text/javascript,1",
    "a.mjs",
    "//h/x",
    "https://",
  ]) {
    expect(await refusal(url), url).toMatchObject({
      status: 400,
      code: "invalid_parameter",
      error: expect.stringContaining('"component_url"') as string,
    });
  }
});

test("S14 redirects are followed, and each target is checked", async () => {
  code.files.set("/moved.mjs", { status: 302, headers: { location: "/deep/there.mjs" } });
  code.files.set("/deep/there.mjs", `import "./beside.mjs"; export default { name: "There", version: "1", run() {} };`);
  code.files.set("/deep/beside.mjs", "globalThis.beside = 1;");
  const reply = await save(`${code.url}/moved.mjs`);
  expect(reply.body.data, JSON.stringify(reply.body)).toMatchObject({
    name: "There",
    component_url: `${code.url}/moved.mjs`,
  });
  code.files.set("/inside.mjs", { status: 302, headers: { location: "http://127.0.0.9/secret" } });
  expect(await failure("/inside.mjs")).toContain("Address 127.0.0.9 is not allowed: it is on the deny list");
  code.files.set("/file.mjs", { status: 302, headers: { location: "file:///etc/passwd" } });
  expect(await failure("/file.mjs")).toContain("only http and https are allowed");
});

test("S14 one path that serves two different files is refused", async () => {
  code.files.set("/both.mjs", `import one from "./one.mjs"; import two from "./two.mjs"; export default { one, two };`);
  for (const name of ["one", "two"]) {
    code.files.set(`/${name}.mjs`, { status: 302, headers: { location: `/get?file=${name}` } });
    code.files.set(`/get?file=${name}`, `export default "${name}";`);
  }
  expect(await failure("/both.mjs")).toContain(`${code.url}/get cannot be read: it gave two different files`);
});

test("S14 an import from another origin is refused", async () => {
  other.files.set("/theirs.mjs", "export default {};");
  code.files.set("/leads.mjs", `import "./theirs.mjs"; export default 1;`);
  code.files.set("/theirs.mjs", { status: 302, headers: { location: `${other.url}/theirs.mjs` } });
  expect(await failure("/leads.mjs")).toContain(`it leads to ${other.url}, and relative imports stay on ${code.url}`);
  for (const specifier of [`${other.url}/theirs.mjs`, "//h/x.mjs", "/etc/passwd"]) {
    code.files.set("/direct.mjs", `import ${JSON.stringify(specifier)}; export default 1;`);
    expect(await refusal(`${code.url}/direct.mjs`), specifier).toMatchObject({ status: 422, code: "bundle_failed" });
  }
});

test("S14 credentials of a URL are sent to its origin, also for imports, and never shown", async () => {
  const withKey = (path: string): string => code.url.replace("://", "://me:pass-word-1@") + path;
  code.files.set("/private.mjs", `import "./more.mjs"; export default { name: "Private", version: "1", run() {} };`);
  code.files.set("/more.mjs", "globalThis.more = 1;");
  const before = code.authorizations.length;
  expect((await save(withKey("/private.mjs"))).status).toBe(200);
  const basic = `Basic ${Buffer.from("me:pass-word-1").toString("base64")}`;
  expect(code.authorizations.slice(before)).toEqual([basic, basic]);
  code.files.set("/away.mjs", { status: 302, headers: { location: `${other.url}/away.mjs` } });
  other.files.set("/away.mjs", `import "./more.mjs"; export default { name: "Away", version: "1", run() {} };`);
  other.files.set("/more.mjs", "globalThis.more = 2;");
  expect((await save(withKey("/away.mjs"))).status).toBe(200);
  expect(other.authorizations.slice(-2)).toEqual([undefined, undefined]);
  const { error } = await refusal(withKey("/absent.mjs?token=query-secret-1"));
  expect(error).toContain(`${code.url}/absent.mjs`);
  expect(error).not.toMatch(/pass-word-1|query-secret-1|me:/);
  expect(JSON.stringify(await refusal("ftp://me:pass-word-1@h/x"))).not.toContain("pass-word-1");
});

test("S7 --upstream receives the requests of component_url, and pages that show code are fetched as the code", async () => {
  await using upstream = await startCodeServer();
  await using routed = await startService({ network: { upstream: upstream.url } });
  const raw = "https://raw.githubusercontent.com/acme/feeds/main/sources/new.mjs";
  upstream.files.set(raw, `import { name } from "../name.mjs"; export default { name, version: "1", run() {} };`);
  upstream.files.set("https://raw.githubusercontent.com/acme/feeds/main/name.mjs", `export const name = "Caught";`);
  const page = "https://github.com/acme/feeds/blob/main/sources/new.mjs";
  const reply = await routed.call<Data<ComponentBody>>("POST", "/components", { component_url: page });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body.data).toMatchObject({ name: "Caught", component_url: page });
  expect(upstream.asked).toEqual([raw, "https://raw.githubusercontent.com/acme/feeds/main/name.mjs"]);
});
