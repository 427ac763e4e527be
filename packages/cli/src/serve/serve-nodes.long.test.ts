import { createServer } from "node:http";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../../../postgres/src/server.cases.ts";
import { makeFolder, runX, type Spawned, spawnX } from "../spawned.cases.ts";

const reason = await missingServer();

const counter = `export default {
  name: "Counter", version: "1", props: { http: { type: "$.interface.http", customResponse: true }, db: "$.service.db" },
  run() {
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    this.http.respond({ status: 200, body: String(n) });
  },
};`;

interface NodeBody {
  readonly id: string;
  readonly slots: number;
  readonly is_self: boolean;
}

/** A service on this schema. */
interface Member {
  readonly x: Spawned;
  readonly baseUrl: string;
  nodes(): Promise<readonly NodeBody[]>;
}

/** A port that is free now: each service of a schema has another one. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

describe.skipIf(reason !== undefined)("several x serve on one schema", () => {
  const schema = newSchema();
  const store = `${serverUrl}?schema=${schema}`;
  const env = { X_STORE: store, X_SECRET_KEY: "0123456789abcdef".repeat(4), X_API_KEY: "k" };

  async function start(cwd: string, files: readonly string[] = []): Promise<Member> {
    const x = spawnX(["serve", ...files, "--port", String(await freePort()), "--json-logs"], { cwd, env });
    const [, baseUrl = ""] = await x.printed(/"base_url":"([^"]+)"/);
    return {
      x,
      baseUrl,
      async nodes() {
        const response = await fetch(`${baseUrl}/nodes`, { headers: { authorization: "Bearer k" } });
        return response.ok ? ((await response.json()) as { data: NodeBody[] }).data : [];
      },
    };
  }

  test("each answers for the sources of the others; one that is killed is replaced, one that is declared dead begins again", async () => {
    onTestFinished(() => dropSchema(schema));
    await using folder = await makeFolder();
    await writeFile(join(folder.path, "counter.js"), counter);
    const first = await start(folder.path, ["counter.js"]);
    await using _first = first.x;
    const second = await start(folder.path);
    await using _second = second.x;
    const [, path = ""] = /"endpoints":\["[^"]+(\/in\/[^"]+)"/.exec(first.x.out()) ?? [];
    const hit = async ({ baseUrl }: Member): Promise<string> =>
      (await fetch(baseUrl.replace(/\/v1$/, path), { method: "POST", body: "x" })).text();
    expect([await hit(first), await hit(second), await hit(first)]).toEqual(["1", "2", "3"]);
    const shares = async (member: Member) => (await member.nodes()).map(({ slots }) => slots);
    await expect.poll(() => shares(second), { timeout: 30_000 }).toEqual([512, 512]);
    expect([await hit(first), await hit(second)]).toEqual(["4", "5"]);

    first.x.child.kill("SIGKILL");
    await first.x.exit;
    expect([await hit(second), await hit(second)]).toEqual(["6", "7"]);
    await expect.poll(() => shares(second), { timeout: 30_000 }).toEqual([1_024]);

    const third = await start(folder.path);
    await using _third = third.x;
    await expect.poll(() => shares(third), { timeout: 30_000 }).toEqual([512, 512]);
    const selfOf = async (member: Member) => (await member.nodes()).find(({ is_self: isSelf }) => isSelf)?.id;
    const before = await selfOf(second);
    await runSql(`UPDATE "${schema}".node SET dead = true WHERE id = $1`, [before]);
    await expect.poll(() => second.x.err(), { timeout: 30_000 }).toContain("it has begun again");
    expect(await selfOf(second)).not.toBe(before);
    expect([await hit(third), await hit(second)]).toEqual(["8", "9"]);

    const listed = await runX(["nodes", "--url", third.baseUrl.replace(/\/v1$/, ""), "--json"], { env });
    expect((JSON.parse(listed.out) as NodeBody[]).map(({ id }) => id)).toContain(await selfOf(third));
    second.x.child.kill("SIGTERM");
    expect(await second.x.exit).toBe(0);
    expect(await hit(third)).toBe("10");
    await expect.poll(() => shares(third), { timeout: 30_000 }).toEqual([1_024]);
  }, 120_000);
});
