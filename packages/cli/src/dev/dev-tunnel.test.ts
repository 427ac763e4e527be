import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { startHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

/** A tunnel program: it leads a port of its own, which it prints as a public host, to the port that it is given. */
const tunnel = `const { createServer, request } = require("node:http");
const [port, name] = process.argv.slice(2);
const server = createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const asked = request({ port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  asked.on("error", () => outgoing.destroy());
  incoming.pipe(asked);
}).listen(0, "127.0.0.1", () => {
  console.error("By using it you agree to https://tunnels.example.com/terms");
  console.log("your url is: http://" + name + ".tunnel.example.com:" + server.address().port);
});
`;

const component = (version: string): string => `export default {
  name: "Orders", version: "${version}", props: { service: "string", http: "$.interface.http", db: "$.service.db" },
  hooks: {
    async activate() {
      const body = JSON.stringify({ url: this.http.endpoint });
      this.db.set("hook", (await (await fetch(this.service + "/hooks", { method: "POST", body })).json()).id);
    },
    async deactivate() { await fetch(this.service + "/hooks/" + this.db.get("hook"), { method: "DELETE" }); },
  },
  run({ body, url }) { this.$emit({ version: "${version}", body, url }); },
};`;

/** A service that takes only public URLs, and sends events to those that are registered. */
async function startService() {
  const hooks = new Map<string, string>();
  let made = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (more) => (text += String(more)));
    request.on("end", () => {
      const { method, url = "" } = request;
      if (method === "DELETE") {
        hooks.delete(url.split("/").at(-1) ?? "");
        response.writeHead(204).end();
      } else {
        const { url: target } = JSON.parse(text) as { url: string };
        if (!/^http:\/\/\w+\.tunnel\.example\.com/.test(target)) return response.writeHead(422).end("{}");
        hooks.set(String(++made), target);
        response.end(JSON.stringify({ id: made }));
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  /** Sends an event to each registered URL. The name of the public host is not known to this machine. */
  async function send(body: object): Promise<number[]> {
    const statuses: number[] = [];
    for (const target of hooks.values()) {
      const { host, port, pathname } = new URL(target);
      const headers = { host, "content-type": "application/json" };
      const asked = httpRequest({ port, host: "127.0.0.1", path: pathname, method: "POST", headers }).end(
        JSON.stringify(body),
      );
      const [answer] = (await once(asked, "response")) as [{ statusCode: number; resume(): void }];
      answer.resume();
      statuses.push(answer.statusCode);
    }
    return statuses;
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hooks, send };
}

/** Runs `x dev` of orders.js in a folder, against a service. */
const startOrders = (cwd: string, service: string, options: readonly string[]) => {
  const args = [
    "dev",
    "orders.js",
    "--json",
    "--port",
    "0",
    "--network",
    "allow-private",
    "--props",
    `service=${service}`,
  ];
  return startHere([...args, ...options], { cwd });
};

test("S52 a webhook source is developed through a tunnel: registered, called, edited, registered anew, and unregistered at the end", async () => {
  const service = await startService();
  await using folder = await makeFolder({ "orders.js": component("1"), "tunnel.cjs": tunnel });
  const start = (name: string) =>
    startOrders(folder.path, service.url, ["--tunnel", `"${process.execPath}" tunnel.cjs {port} ${name}`]);
  {
    await using x = start("one");
    const [serving] = await x.printed(/^\{"message":"serving".*$/m);
    const { base_url: base, public_url: url } = JSON.parse(serving) as { base_url: string; public_url: string };
    expect(url).toMatch(/^http:\/\/one\.tunnel\.example\.com:\d+$/);
    // The pages are opened here.
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect([...service.hooks.values()].map((target) => target.startsWith(`${url}/in/`))).toEqual([true]);
    expect(await service.send({ n: 1 })).toEqual([200]);
    const [first] = await x.printed(/^.*"version":"1".*$/m);
    expect(first).toContain(`"url":"${url}/in/`);

    await writeFile(join(folder.path, "orders.js"), component("2"));
    await x.printed(/^\{"message":"changed".*$/m);
    expect(service.hooks.size).toBe(1);
    expect(await service.send({ n: 2 })).toEqual([200]);
    await x.printed(/^.*"version":"2".*$/m);

    x.hear("SIGINT");
    expect(await x.exit).toBe(0);
    expect(service.hooks.size).toBe(0);
  }
  {
    await using x = start("two");
    await x.printed(/^\{"message":"serving".*$/m);
    expect([...service.hooks.values()].map((target) => new URL(target).hostname)).toEqual(["two.tunnel.example.com"]);
    expect(await service.send({ n: 3 })).toEqual([200]);
    await x.printed(/^.*"n":3.*$/m);
    x.hear("SIGTERM");
    expect(await x.exit).toBe(0);
    expect(service.hooks.size).toBe(0);
  }
});

test("S52 x dev registers the endpoints anew when --public-url is another one than at the last start", async () => {
  const service = await startService();
  await using folder = await makeFolder({ "orders.js": component("1") });
  const registered: string[][] = [];
  for (const name of ["one", "one", "two"]) {
    const publicUrl = `http://${name}.tunnel.example.com`;
    await using x = startOrders(folder.path, service.url, ["--public-url", publicUrl]);
    await x.printed(/^\{"message":"serving".*$/m);
    registered.push([...service.hooks].map(([id, target]) => `${id} ${new URL(target).hostname}`));
    x.hear("SIGTERM");
    expect(await x.exit).toBe(0);
  }
  expect(registered).toEqual([
    ["1 one.tunnel.example.com"],
    ["1 one.tunnel.example.com"],
    ["2 two.tunnel.example.com"],
  ]);
});
