import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createGate, gatedProp, gatedValue, openTrial, type Trial } from "../runtime.cases.ts";
import type { SourceView } from "../api/api.ts";
import {
  appRequest,
  bodyText,
  connected,
  emitted,
  listenerText,
  slackMessage,
  vector,
  vectorMs,
} from "./app-trial.cases.ts";

let trial: Trial;
beforeEach(async () => {
  trial = await openTrial({ publicUrl: "https://x.example" }, vectorMs);
});
afterEach(() => trial.runtime.close());

const byOutcome = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);
const slackEndpoint = async (more: object = {}): Promise<string> => {
  const { endpointUrl } = await trial.runtime.putAppEndpoint({ app: "slack", secret: "slack-secret", ...more });
  return endpointUrl;
};
const listen = async (eventNames: string, auth: object = { team_id: "T1" }, app = "slack"): Promise<SourceView> => {
  const account = await connected(trial.runtime, app, auth as { [field: string]: string });
  return trial.deploy(listenerText(app, eventNames), { app: account });
};
const send = async (url: string, given: Parameters<typeof appRequest>[0]): Promise<[number, string]> => {
  const answer = await trial.runtime.request(url, appRequest(given));
  await trial.runtime.idle();
  return bodyText(answer);
};
const recent = async (app = "slack"): Promise<unknown[]> =>
  (await trial.runtime.appEndpoint(app)).recent.map(({ outcome, reason, triggers }) => [outcome, reason, triggers]);

describe("a request to the endpoint of an app", () => {
  test("A12 V1 runs every source that listens, and answers with an empty 200", async () => {
    const url = await slackEndpoint();
    const auth = { team_id: "T1", oauth_uid: "U1" };
    const [all, im, channel, other] = [
      await listen("static: []", auth),
      await listen(`eventNames: ["message.im", "message"]`, auth),
      await listen(`eventNames: ["D1"]`, auth),
      await listen(`eventNames: ["message.channels", "D2"]`, auth),
    ];
    expect(await send(url, vector("V1"))).toEqual([200, ""]);
    for (const view of [all, im, channel]) expect(await emitted(trial.runtime, view)).toHaveLength(1);
    expect(await emitted(trial.runtime, other)).toEqual([]);
    expect(await emitted(trial.runtime, im)).toMatchObject([{ type: "message", text: "hi", channel: "D1" }]);
    expect(await trial.runtime.appEndpoint("slack")).toMatchObject({
      sources: 4,
      secrets: 1,
      scheme: "slack",
      reader: "slack",
      recent: [
        { outcome: "delivered", names: ["message", "message.im", "D1", "message:D1"], eventId: "Ev1", triggers: 3 },
      ],
    });
  });

  test("A13 V2 answers a challenge, which reaches no source", async () => {
    const url = await slackEndpoint();
    const view = await listen("static: []");
    expect(await send(url, vector("V2"))).toEqual([200, "3eZbrw1aBm2r"]);
    expect(await emitted(trial.runtime, view)).toEqual([]);
    await trial.runtime.idle();
    expect(await recent()).toEqual([["challenge", undefined, 0]]);
  });

  test("A12 V1 with another secret or body is refused, and the sender does not learn why", async () => {
    const url = await slackEndpoint({ secret: "another" });
    const view = await listen("static: []");
    const [status, body] = await send(url, vector("V1"));
    expect([status, JSON.parse(body)]).toEqual([
      401,
      { error: "The request does not prove who sent it.", code: "unverified_request", details: {} },
    ]);
    expect(await emitted(trial.runtime, view)).toEqual([]);
    expect(await recent()).toEqual([["rejected", "signature_mismatch", 0]]);
    trial.clock.jump(301_000);
    await send(url, vector("V1"));
    expect((await recent())[0]).toEqual(["rejected", "timestamp_outside", 0]);
  });

  test("A22 an execution has the event of the app, and a replay of it too", async () => {
    const url = await slackEndpoint();
    const view = await listen(`eventNames: ["message.im"]`, { team_id: "T1", oauth_uid: "U1" });
    await send(url, vector("V1"));
    const appEvent = { app: "slack", names: ["message", "message.im", "D1", "message:D1"], eventId: "Ev1" };
    const [first] = (await trial.runtime.storedExecutions(view.source.id, { limit: 1 })).items;
    expect(first).toMatchObject({ type: "APP", appEvent });
    await trial.runtime.replay(first?.id ?? "");
    const [again] = (await trial.runtime.storedExecutions(view.source.id, { limit: 1 })).items;
    expect(again).toMatchObject({ type: "APP", replayOf: first?.id, appEvent });
  });

  test("F1 an event of one team reaches the account of that team alone", async () => {
    const url = await slackEndpoint();
    const [one, two] = [await listen("static: []", { team_id: "T1" }), await listen("static: []", { team_id: "T2" })];
    expect(await send(url, slackMessage({ channel: "C1", channel_type: "channel", text: "hi" }))).toEqual([200, ""]);
    expect(await emitted(trial.runtime, one)).toHaveLength(1);
    expect(await emitted(trial.runtime, two)).toEqual([]);
  });

  test("F2 an account without a team is addressed while it is the only one", async () => {
    const url = await slackEndpoint();
    const view = await listen("static: []", { token: "t" });
    await send(url, slackMessage({ channel: "C1", channel_type: "channel" }));
    expect(await emitted(trial.runtime, view)).toHaveLength(1);
    await connected(trial.runtime, "slack", { token: "u" });
    await send(url, slackMessage({ channel: "C1", channel_type: "channel", text: "2" }));
    expect(await emitted(trial.runtime, view)).toHaveLength(1);
    expect((await recent())[0]).toEqual(["unmatched", "unknown_account", 0]);
    const { unknownAccounts } = await trial.runtime.appEndpoint("slack");
    expect(unknownAccounts.map(({ fields }) => fields)).toEqual([["team_id"], ["team_id"]]);
  });

  test("F3 V1 twice runs once, and the second answer is 200 too", async () => {
    const url = await slackEndpoint();
    const view = await listen("static: []", { team_id: "T1", oauth_uid: "U1" });
    const answers = await Promise.all([send(url, vector("V1")), send(url, vector("V1"))]);
    expect([...answers, await send(url, vector("V1"))]).toEqual([200, 200, 200].map((status) => [status, ""]));
    expect(await emitted(trial.runtime, view)).toHaveLength(1);
    expect((await recent()).map((entry) => String((entry as string[])[0])).toSorted()).toEqual([
      "delivered",
      "duplicate",
      "duplicate",
    ]);
  });

  test("A16 an id is forgotten after a day", async () => {
    await slackEndpoint();
    const view = await listen("static: []");
    const event = { id: "e1", names: ["message"], data: { n: 1 } };
    const first = await trial.runtime.appEvents("slack", [event, event]);
    expect(first).toEqual([
      { id: "e1", duplicate: false, sources: [view.source.id] },
      { id: "e1", duplicate: true, sources: [] },
    ]);
    expect(await trial.runtime.appEvents("slack", [event])).toMatchObject([{ duplicate: true }]);
    expect(await trial.runtime.appEvents("slack", [event], { force: true })).toMatchObject([{ duplicate: false }]);
    trial.clock.jump(24 * 60 * 60 * 1_000 + 1);
    expect(await trial.runtime.appEvents("slack", [event])).toMatchObject([{ duplicate: false }]);
    await trial.runtime.idle();
    expect(await emitted(trial.runtime, view)).toHaveLength(3);
  });

  test("F4 a full inbox costs only its own source the event", async () => {
    const gate = createGate();
    const limited = await openTrial({ accounts: gate.accounts, limits: { inboxPerSource: 2 } }, vectorMs);
    await using runtime = limited.runtime;
    const account = await connected(runtime, "slack", { team_id: "T1" });
    const { endpointUrl } = await runtime.putAppEndpoint({ app: "slack", secret: "slack-secret" });
    const code = listenerText("slack", "static: []");
    const gated = code.replace("props: {", `props: { ${gatedProp}, `);
    const full = await runtime.deploy({ code: gated, props: { app: account, ...gatedValue }, name: "full" });
    const others = await Promise.all(
      Array.from({ length: 9 }, (_, n) => runtime.deploy({ code, props: { app: account }, name: `other ${n}` })),
    );
    gate.close();
    await Promise.all([1, 2].map((n) => runtime.invoke(full.source.id, { event: { n }, wait: false })));
    const answer = await runtime.request(endpointUrl, appRequest(slackMessage({ channel: "C1", text: "hi" })));
    expect(bodyText(answer)).toEqual([200, ""]);
    const { recent: entries } = await runtime.appEndpoint("slack");
    expect(entries).toMatchObject([{ outcome: "delivered", triggers: 9, skipped: 1 }]);
    gate.open();
    await runtime.idle();
    for (const view of others) expect(await emitted(runtime, view)).toHaveLength(1);
    const errors = await limited.payloads(full.source.id, "$errors");
    expect(errors).toMatchObject([{ error: { code: "events_dropped" } }]);
  });

  test("F6 a name gets its events alone, and no name gets all", async () => {
    const url = await slackEndpoint();
    const [c9, all] = [await listen(`eventNames: ["C9"]`), await listen("static: []")];
    for (const channel of ["C1", "C9", "C2"]) await send(url, slackMessage({ channel, channel_type: "channel" }));
    expect(await emitted(trial.runtime, c9)).toMatchObject([{ channel: "C9" }]);
    expect(await emitted(trial.runtime, all)).toHaveLength(3);
  });

  test("A13 an event for an inactive source is answered with 200 and stored for nobody", async () => {
    const url = await slackEndpoint();
    const view = await listen("static: []");
    await trial.runtime.update(view.source.id, { active: false });
    expect(await send(url, slackMessage({ channel: "C1" }))).toEqual([200, ""]);
    expect(await recent()).toEqual([["unmatched", "inactive", 0]]);
    await trial.runtime.update(view.source.id, { active: true });
    await trial.runtime.idle();
    expect(await emitted(trial.runtime, view)).toEqual([]);
  });

  test("A7 the key of an endpoint changes with a rotation, and is gone with it", async () => {
    const url = await slackEndpoint();
    expect(await slackEndpoint({ secret: { __secret: true } })).toBe(url);
    const { endpointUrl } = await trial.runtime.rotateAppEndpoint("slack");
    expect((await send(url, vector("V2")))[0]).toBe(404);
    expect(await send(endpointUrl, vector("V2"))).toEqual([200, "3eZbrw1aBm2r"]);
    await trial.runtime.deleteAppEndpoint("slack");
    expect((await send(endpointUrl, vector("V2")))[0]).toBe(404);
    await expect(trial.runtime.appEndpoint("slack")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a reader of the user's", () => {
  const code = `export default {
    prefix: "acme",
    receive({ body, headers, verified }) {
      if (body.bad) throw new Error("bad body");
      if (headers["x-open"] !== undefined && headers["x-open"] !== this.secrets[0]) return { respond: { status: 401 } };
      if (!body.kind) return undefined;
      return {
        events: [{ id: body.id, name: this.prefix + "." + body.kind, account: { org: body.org }, data: { ...body, verified } }],
        respond: { status: 202, headers: { "X-Seen": "1" }, body: { ok: true } },
      };
    },
  };`;
  const request = (url: string, body: object, headers: [string, string][] = []) =>
    trial.runtime.request(url, {
      method: "POST",
      path: "/",
      url: "http://h/in/x",
      search: "",
      headers: [["content-type", "application/json"], ...headers],
      body: Buffer.from(JSON.stringify(body)),
      clientIp: "127.0.0.1",
    });

  test("A10 names events, addresses accounts and responds", async () => {
    const { endpointUrl, reader } = await trial.runtime.putAppEndpoint({
      app: "acme",
      scheme: "none",
      secret: "s1",
      code,
    });
    expect(reader).toBe("custom");
    const view = await listen(`eventNames: ["acme.made"]`, { org: "7" }, "acme");
    const answer = await request(endpointUrl, { kind: "made", org: 7, id: 1 }, [["x-open", "s1"]]);
    expect([answer.status, answer.headers, Buffer.from(answer.body).toString()]).toEqual([
      202,
      [["X-Seen", "1"]],
      '{"ok":true}',
    ]);
    await trial.runtime.idle();
    expect(await emitted(trial.runtime, view)).toEqual([{ kind: "made", org: 7, id: 1, verified: false }]);
    expect((await request(endpointUrl, {})).status).toBe(200);
    expect((await request(endpointUrl, { kind: "made" }, [["x-open", "s2"]])).status).toBe(401);
    expect((await request(endpointUrl, { bad: true })).status).toBe(500);
    const { recent: entries } = await trial.runtime.appEndpoint("acme");
    expect(entries.map(({ outcome, reason }) => [outcome, reason]).toSorted(byOutcome)).toEqual([
      ["delivered", undefined],
      ["failed", expect.stringMatching(/bad body[\s\S]*reader\.js:4:/)],
      ["rejected", "reader"],
      ["unmatched", undefined],
    ]);
  });

  test("A10 a module without receive is refused", async () => {
    const put = (text: string) => trial.runtime.putAppEndpoint({ app: "acme", scheme: "none", code: text });
    await expect(put("export default {};")).rejects.toMatchObject({
      code: "invalid_component",
      message: expect.stringContaining("receive(request)") as string,
    });
    await expect(put("export default {")).rejects.toMatchObject({ code: "bundle_failed" });
    await expect(trial.runtime.putAppEndpoint({ app: "acme", scheme: "none" })).rejects.toMatchObject({
      code: "invalid_parameter",
    });
  });
});

describe("what a source listens to", () => {
  const listenerWith = (hook: string, members = ""): string => listenerText("slack", hook, members);

  test("A5 eventNames is called with the component at a deploy and at an update", async () => {
    const code = `const app = { type: "app", app: "slack" };
      export default { name: "L", version: "1", props: { app, channels: { type: "string[]" },
        hook: { type: "$.interface.apphook", appProp: "app", async eventNames() { return this.named(); } } },
        methods: { named() { return this.channels.map((each) => "message:" + each); } },
        run() { this.$emit([this.hook, Object.isFrozen(this.hook), Object.isFrozen(this.hook.eventNames)]); } };`;
    const account = await connected(trial.runtime, "slack", { team_id: "T1" });
    const url = await slackEndpoint();
    const view = await trial.deploy(code, { app: account, channels: ["C1", "C2"] });
    expect(view.configuredProps["hook"]).toEqual({ event_names: ["message:C1", "message:C2"], endpoint_url: url });
    await send(url, slackMessage({ channel: "C2" }));
    expect(await emitted(trial.runtime, view)).toEqual([
      [{ type: "$.interface.apphook", appProp: "app", eventNames: ["message:C1", "message:C2"] }, true, true],
    ]);
    const changed = await trial.runtime.update(view.source.id, { props: { channels: ["C3"] } });
    expect(changed.configuredProps["hook"]).toMatchObject({ event_names: ["message:C3"] });
    await send(url, slackMessage({ channel: "C2", text: "2" }));
    expect(await emitted(trial.runtime, view)).toHaveLength(1);
    await expect(trial.runtime.update(view.source.id, { props: { hook: "x" } })).rejects.toMatchObject({
      code: "invalid_props",
    });
    expect(
      (await trial.runtime.update(view.source.id, { props: { hook: changed.configuredProps["hook"] ?? null } })).source
        .updatedAt,
    ).toBe(changed.source.updatedAt);
  });

  test.each([
    ["throws", `eventNames() { throw new Error("no channel"); }`, "no channel"],
    ["returns an object", `eventNames() { return { a: 1 }; }`, "got an object"],
    ["returns too many names", `eventNames() { return Array.from({ length: 1001 }, (_, n) => n); }`, "got an array"],
    ["returns a long name", `eventNames() { return ["a".repeat(201)]; }`, "got an array"],
  ])("A5 eventNames that %s refuses the deploy", async (_, hook, problem) => {
    await expect(listen(hook)).rejects.toMatchObject({
      code: "event_names_failed",
      message: expect.stringContaining(problem) as string,
    });
    expect((await trial.runtime.sources({ limit: 10 })).totalCount).toBe(0);
  });

  test("A4 A21 a deploy warns of a prop without names and of an app without endpoint", async () => {
    const warned = async (hook: string) => (await listen(hook)).component.shape.warnings?.map(({ rule }) => rule) ?? [];
    expect(await warned("")).toEqual(["every-app-event", "no-app-endpoint"]);
    expect(await warned("static: []")).toEqual(["no-app-endpoint"]);
    await slackEndpoint();
    expect(await warned("eventNames() {}")).toEqual(["every-app-event"]);
    expect(await warned("eventNames() { return 7; }")).toEqual([]);
  });

  test.each([
    ["an unknown app prop", `appProp: "apq"`, 'got "apq"; the app props are app'],
    ["no app prop", `appProp: undefined`, "appProp of prop"],
    ["no list", `eventNames: "message"`, "an array of names or a function"],
    ["an empty name", `eventNames: [""]`, "names of 1 to 200 characters"],
  ])("A1 A2 %s is refused", async (_, hook, problem) => {
    await expect(trial.deploy(listenerWith(hook))).rejects.toMatchObject({
      code: "invalid_component",
      message: expect.stringContaining(problem) as string,
    });
  });

  test("A2 appProp may be the slug of the only app", async () => {
    const view = await listen(`appProp: "slack", eventNames: [7, "a"]`);
    expect(view.configuredProps["hook"]).toEqual({ event_names: ["7", "a"], endpoint_url: null });
  });
});
