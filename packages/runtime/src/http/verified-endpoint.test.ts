import { afterEach, beforeEach, expect, test } from "vitest";

import type { EndpointResponse, SourceView } from "../api/api.ts";
import { appRequest, bodyText, vector, vectorMs } from "../app-events/app-trial.cases.ts";
import { openTrial, runText, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeEach(async () => {
  trial = await openTrial({ publicUrl: "https://x.example" }, vectorMs);
});
afterEach(() => trial.runtime.close());

const httpProp = `props: { http: "$.interface.http" },`;
const customProp = `props: { http: { type: "$.interface.http", customResponse: true } },`;
const deploy = (verify: object | null, run = "this.$emit(event.body);", members = httpProp): Promise<SourceView> =>
  trial.deploy(runText(run, members), { http: { verify } as never });
const hit = async (view: SourceView, name: string, change: object = {}): Promise<EndpointResponse> => {
  const [url = ""] = Object.values(view.source.endpoints);
  const answer = await trial.runtime.request(url, appRequest(vector(name), change));
  await trial.runtime.idle();
  return answer;
};
const github = { scheme: "github", secret: "github-secret" };

test("A24 a request that its scheme accepts is the event that it was before, and others are refused before they are stored", async () => {
  const view = await deploy(github);
  expect(view.configuredProps["http"]).toEqual({
    endpoint_url: Object.values(view.source.endpoints)[0],
    verify: { scheme: "github", secret: { __secret: true } },
  });
  expect(bodyText(await hit(view, "V6"))).toEqual([200, '{"ok":true}']);
  expect((await hit(view, "V6", { body: Buffer.from("{}") })).status).toBe(401);
  expect((await hit(view, "V6", { headers: [] })).status).toBe(401);
  expect(await trial.payloads(view.source.id)).toEqual([{ action: "opened", installation: { id: 7 } }]);
  const requests = await trial.runtime.sourceRequests(view.source.id);
  expect(requests.map(({ outcome, reason }) => `${outcome} ${reason}`).toSorted()).toEqual([
    "delivered undefined",
    "rejected signature_mismatch",
    "rejected signature_missing",
  ]);
});

test("A24 with customResponse a request that fails starts no run", async () => {
  const view = await deploy(github, `this.$emit(1); this.http.respond({ status: 202 });`, customProp);
  expect((await hit(view, "V6")).status).toBe(202);
  expect((await hit(view, "V6", { method: "OPTIONS", headers: [] })).status).toBe(401);
  expect(await trial.payloads(view.source.id)).toEqual([1]);
});

test("A24 a handshake is answered by the runtime", async () => {
  const view = await deploy({ scheme: "slack", secret: "slack-secret" });
  expect(bodyText(await hit(view, "V2"))).toEqual([200, "3eZbrw1aBm2r"]);
  expect(await trial.payloads(view.source.id)).toEqual([]);
});

test("A24 an input without verify keeps it, a marker keeps its secret, and null removes it", async () => {
  const view = await deploy(github);
  const { id } = view.source;
  const shown = view.configuredProps["http"] as { [name: string]: never };
  const update = async (http: unknown): Promise<unknown> =>
    (
      (await trial.runtime.update(id, { props: { http: http as never } })).configuredProps["http"] as {
        verify?: unknown;
      }
    ).verify;
  expect(await update(shown)).toEqual(shown["verify"]);
  expect(await update({})).toEqual(shown["verify"]);
  expect(await update(null)).toEqual(shown["verify"]);
  expect((await hit(view, "V6")).status).toBe(200);
  expect(await update({ verify: { scheme: "github", secret: ["new", { __secret: true }] } })).toBeDefined();
  expect((await hit(view, "V6")).status).toBe(200);
  expect(await update({ verify: null })).toBeUndefined();
  expect((await hit(view, "V6", { headers: [] })).status).toBe(200);
});

test("A24 refuses what is no verification, without its secret", async () => {
  await expect(deploy({ scheme: "discord", secret: "not-a-key-at-all" })).rejects.toMatchObject({
    code: "invalid_props",
    message: expect.stringMatching(/verify\.secret.*64 hexadecimal(?!.*not-a-key)/) as string,
  });
  await expect(deploy("github" as never)).rejects.toMatchObject({ code: "invalid_props" });
});

test("A24 the secrets of a verification are masked in logs", async () => {
  const verify = { scheme: "gitlab", secret: "gitlab-secret-token" };
  const view = await deploy(verify, "console.log(event.headers['x-gitlab-token']);");
  expect((await hit(view, "V6", { headers: [["X-Gitlab-Token", "gitlab-secret-token"]] })).status).toBe(200);
  expect(await trial.log(view.source.id)).toEqual(["***"]);
});

test.each(["V12", "V13 square", "V13 hubspot"])(
  "A25 %s is signed with the public URL and the query, whatever host it names",
  async (name) => {
    const { scheme, secret } = vector(name);
    const view = await deploy({ scheme, secret });
    const [url = ""] = Object.values(view.source.endpoints);
    // The vectors are for another URL.
    expect((await hit(view, name)).status).toBe(401);
    expect(url.startsWith("https://x.example/in/")).toBe(true);
  },
);

test("A22 the record of an error says whether its request was verified", async () => {
  const view = await deploy(github, `throw new Error("x");`);
  await hit(view, "V6");
  const open = await trial.deploy(runText(`throw new Error("x");`, httpProp));
  await hit(open, "V6");
  const verified = async ({ source }: SourceView) =>
    (await trial.payloads(source.id, "$errors")).map(
      (record) => (record as { original_context: { verified: boolean } }).original_context.verified,
    );
  expect([await verified(view), await verified(open)]).toEqual([[true], [false]]);
});

test("A24 S39 a call from inside is verified too", async () => {
  const view = await deploy({ scheme: "token", query: "key", secret: "s3" });
  const [url = ""] = Object.values(view.source.endpoints);
  const caller = await trial.deploy(
    runText(`const ask = async (query) => (await fetch("${url}" + query, { method: "POST", body: "1" })).status;
      this.$emit([await ask(""), await ask("?key=s3")]);`),
  );
  await trial.runtime.invoke(caller.source.id, { event: {} });
  await trial.runtime.idle();
  expect(await trial.payloads(caller.source.id)).toEqual([[401, 200]]);
  expect(await trial.payloads(view.source.id)).toEqual(["1"]);
});
