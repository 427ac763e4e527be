import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { runHere, startHere } from "../run-here.cases.ts";
import { makeFolder, spawnX } from "../spawned.cases.ts";

/** A service at which components register their endpoints. */
const registered = new Set<string>();
let asked: string[] = [];
const service = createServer((request, response) => {
  const { method = "", url = "" } = request;
  asked.push(`${method} ${url}`);
  if (method === "PUT") registered.add(url);
  if (method === "DELETE") registered.delete(url);
  service.emit("asked", url);
  // A run that waits for this is interrupted.
  if (url !== "/never") response.end("{}");
});
let base = "";
beforeAll(async () => {
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});
beforeEach(() => {
  registered.clear();
  asked = [];
});

const component = (run: string, hooks = ""): string => `export default {
  name: "Hook", version: "1", props: { service: "string", http: { type: "$.interface.http", customResponse: true } },
  sampleEmit: { id: 7 },
  hooks: {
    deploy() { console.log("deploying"); },
    async activate() { await fetch(this.service + "/hook?" + this.http.endpoint.split("/in/")[0], { method: "PUT" }); },
    async deactivate() { await fetch(this.service + "/hook?" + this.http.endpoint.split("/in/")[0], { method: "DELETE" }); ${hooks} },
  },
  async run(event) { ${run} },
};`;

const files = {
  "good.js": component(`this.$emit(event); this.http.respond({ status: 201, body: event.body });`),
  "throws.js": component(`throw new Error("no");`),
  "loops.js": component(`for (;;);`),
  "waits.js": component(`await fetch(this.service + "/never");`),
  "leaves.js": component(`this.$emit(1);`, `throw new TypeError("cannot leave");`),
  "fields.js": `export default {
    name: "Fields", version: "1", props: { service: { type: "string", reloadProps: true } },
    async additionalProps() {
      const { status } = await fetch(this.service + "/fields");
      if (this.service.includes("#")) throw new Error("no fields: " + status);
      return {};
    },
    run() { this.$emit(1); },
  };`,
};

test("S51 x run runs deploy and activate before the run, and deactivate after it, and says so", async () => {
  await using folder = await makeFolder(files);
  const { code, out } = await runHere(["run", "good.js", "--props", `service=${base}`, "--network", "allow-private"], {
    cwd: folder.path,
  });
  expect(code).toBe(0);
  expect(out).toMatch(/^hooks {2}deploy, activate before the run; deactivate after it\n/);
  expect(out).toMatch(/^deactivate\n {2}http {3}DELETE http/m);
  expect(asked.map((text) => text.split("?")[0])).toEqual(["PUT /hook", "DELETE /hook"]);
  expect(registered.size).toBe(0);
  // S53: the component's sample is the body of the request, and the answer is shown.
  expect(out).toContain('"method":"POST"');
  expect(out).toContain("  response  201");
  expect(out).toContain('{"id":7}');
});

test("S51 the base of the endpoint is that of --public-url or X_PUBLIC_URL", async () => {
  await using folder = await makeFolder({ ...files, ".env": "X_PUBLIC_URL=https://env.example.com/\n" });
  const run = (...more: string[]) =>
    runHere(["run", "good.js", "--props", `service=${base}`, "--network", "allow-private", ...more], {
      cwd: folder.path,
    });
  await run();
  await run("--public-url", "https://flag.example.com/x");
  expect(asked).toEqual(
    ["https://env.example.com", "https://flag.example.com/x"].flatMap((url) => [
      `PUT /hook?${url}`,
      `DELETE /hook?${url}`,
    ]),
  );
  expect((await run("--public-url", "example.com")).err).toContain("--public-url must be an http:// or https:// URL");
});

test.each([
  ["throws.js", 1],
  ["loops.js", 3],
])("S51 deactivate runs after a run of %s, which fails", async (file, expected) => {
  await using folder = await makeFolder(files);
  const args = ["run", file, "--props", `service=${base}`, "--network", "allow-private", "--run-timeout", "1s"];
  const { code } = await runHere(args, { cwd: folder.path });
  expect([code, registered.size, asked.length]).toEqual([expected, 0, 2]);
});

test("S51 --no-hooks runs none", async () => {
  await using folder = await makeFolder(files);
  const args = ["run", "good.js", "--props", `service=${base}`, "--network", "allow-private", "--no-hooks"];
  const { code, out } = await runHere(args, { cwd: folder.path });
  expect([code, asked]).toEqual([0, []]);
  expect(out).toMatch(/^hooks {2}none: --no-hooks leaves out deploy, activate, deactivate\n/);
});

test("S51 a deactivate that throws is shown, and the exit code is 1", async () => {
  await using folder = await makeFolder(files);
  const args = ["run", "leaves.js", "--props", `service=${base}`, "--network", "allow-private"];
  const { code, out } = await runHere(args, { cwd: folder.path });
  expect([code, out]).toEqual([1, expect.stringContaining("cannot leave") as string]);
  const json = await runHere([...args, "--json"], { cwd: folder.path });
  expect(JSON.parse(json.out)).toMatchObject({
    hooks: ["deploy", "activate", "deactivate"],
    deactivate: { error: { message: "cannot leave" } },
    exit_code: 1,
  });
});

test.each(["SIGINT", "SIGTERM"] as const)("S51 %s during a run ends it; deactivate runs", async (signal) => {
  await using folder = await makeFolder(files);
  await using x = startHere(["run", "waits.js", "--props", `service=${base}`, "--network", "allow-private"], {
    cwd: folder.path,
  });
  for (let url = ""; url !== "/never";) [url = ""] = (await once(service, "asked")) as [string];
  x.hear(signal);
  expect(await x.exit).toBe(130);
  expect([registered.size, x.err()]).toEqual([0, expect.stringContaining("interrupted") as string]);
});

test("S51 Ctrl+C in the process itself leaves nothing at the service", async () => {
  await using folder = await makeFolder(files);
  await using x = spawnX(["run", "waits.js", "--props", `service=${base}`, "--network", "allow-private"], {
    cwd: folder.path,
  });
  for (let url = ""; url !== "/never";) [url = ""] = (await once(service, "asked")) as [string];
  x.child.kill("SIGINT");
  expect(await x.exit).toBe(130);
  expect(registered.size).toBe(0);
});

test("S51 under --watch each run ends with deactivate, also the last", async () => {
  await using folder = await makeFolder(files);
  const args = ["run", "waits.js", "--watch", "--json", "--props", `service=${base}`, "--network", "allow-private"];
  await using x = startHere(args, { cwd: folder.path });
  const reached = async (path: string): Promise<void> => {
    for (let url = ""; url !== path;) [url = ""] = (await once(service, "asked")) as [string];
  };
  await reached("/never");
  expect(registered.size).toBe(1);
  x.hear("SIGINT");
  expect(await x.exit).toBe(0);
  expect(registered.size).toBe(0);
});

test("x run shows the requests of additionalProps, also when it fails", async () => {
  await using folder = await makeFolder(files);
  const run = (service: string) =>
    runHere(["run", "fields.js", "--props", `service=${service}`, "--network", "allow-private"], { cwd: folder.path });
  const good = await run(base);
  expect(good.code).toBe(0);
  expect(good.out).toMatch(/^deploy\n {2}http {3}GET http.*\/fields -> 200\n/);
  const failed = await run(`${base}/#`);
  expect(failed.code).toBe(1);
  expect(failed.err).toMatch(/^ {2}http {3}GET http.* -> 200\nerror\[additional_props_failed, component_threw\]: /);
});
