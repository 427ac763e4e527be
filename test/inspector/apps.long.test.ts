import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { beforeAll, expect, test } from "vitest";

import { connected, listenerText, slackMessage } from "../../packages/runtime/src/app-events/app-trial.cases.ts";
import { describeInBrowser } from "./in-browser.ts";
import { startServed } from "./served.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

/** `npm run site:pictures` renews it. */
const guidePicture = fileURLToPath(new URL("../../docs/images/app-endpoint.png", import.meta.url));
const secret = "slack-secret";
const reader = "export default { receive() {} };";

/** What Slack posts to the URL of an app, signed; resolves with the status that it gets. */
async function postMessage(url: string, event: object, id: string, signature?: string): Promise<number> {
  const now = Math.floor(Date.now() / 1_000);
  const { body, headers } = slackMessage(event, { event_id: id }, now);
  const signed = { ...headers, ...(signature !== undefined && { "x-slack-signature": signature }) };
  const given = { method: "POST", body, headers: { "content-type": "application/json", ...signed } };
  return (await fetch(url, given)).status;
}

/** The endpoints of apps: the list, one app, and a source that listens. */
describeInBrowser((get) => {
  let url = "";
  let listening = "";
  let waiting = "";
  beforeAll(async () => {
    const { runtime } = get().served;
    url = (await runtime.putAppEndpoint({ app: "slack", secret })).endpointUrl;
    await runtime.putAppEndpoint({ app: "open", scheme: "none", code: reader });
    const code = listenerText("slack", `eventNames: ["message", "message.im"]`);
    const account = await connected(runtime, "slack", { team_id: "T1" });
    const unknown = await connected(runtime, "slack", { token: "credential-1" });
    listening = (await runtime.deploy({ code, name: "messages", props: { app: account } })).source.id;
    const { source } = await runtime.deploy({ code, name: "paused messages", props: { app: account } });
    await runtime.update(source.id, { active: false });
    await runtime.deploy({ code, name: "unaddressed messages", props: { app: unknown } });
    const bare = listenerText("discord", "static: []");
    waiting = (
      await runtime.deploy({
        code: bare,
        name: "waiting messages",
        props: { app: await connected(runtime, "discord", { guild_id: "G1" }) },
      })
    ).source.id;
    await postMessage(url, { channel: "C1", text: "hi" }, "Ev1");
    await postMessage(url, { channel: "C1", text: "hi" }, "Ev1");
    await postMessage(url, { channel: "C1", text: "no" }, "Ev2", "v0=00");
    await runtime.idle();
  });

  test("the picture of the guide shows where the URL is entered", async () => {
    await using visited = await openSignedIn(get(), "/apps/slack", { width: 1120, height: 720 });
    const { page } = visited;
    await page.getByRole("list", { name: "Where the URL is entered" }).waitFor();
    await page.getByRole("cell", { name: "duplicate" }).waitFor();
    const shown = page.getByText(url, { exact: true });
    // The guide's own example.
    await shown.evaluate((element) => (element.textContent = "https://events.example/in/4q0c6t0v3m9x1b7k2z8d5f6g7h8j"));
    const picture = await page.screenshot();
    expect(picture.byteLength).toBeGreaterThan(10_000);
    if (process.env["X_PICTURES"] === "renew") writeFileSync(guidePicture, picture);
  });

  test("the list is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), "/apps", "apps", (page) =>
      page.getByRole("link", { name: "slack", exact: true }).waitFor(),
    ));

  test("an app is accessible, in both colours and on a small screen, also without an endpoint and with an open one", async () => {
    await expectAccessible(get(), "/apps/slack", "app", (page) =>
      page.getByRole("cell", { name: "rejected signature mismatch" }).waitFor(),
    );
    await expectAccessible(get(), "/apps/discord", "app-none", (page) =>
      page.getByRole("link", { name: "waiting messages" }).waitFor(),
    );
    await expectAccessible(get(), "/apps/open", "app-open", (page) => page.getByRole("note").waitFor());
  });

  test("the form of an endpoint is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), "/apps/slack", "app-endpoint", async (page) => {
      await page.getByRole("button", { name: "Change" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Scheme").selectOption("hmac");
      await dialog.getByText("More of the scheme").click();
      await dialog.getByRole("button", { name: "Add another" }).click();
      await dialog.getByLabel("Secret", { exact: true }).waitFor();
    }));

  test("a source that gets events of an app is accessible, in both colours and on a small screen", async () => {
    await expectAccessible(get(), `/sources/${listening}`, "source-of-app", (page) =>
      page.getByRole("region", { name: "Events of slack" }).getByText("message, message.im").waitFor(),
    );
    await expectAccessible(get(), `/sources/${waiting}`, "source-without-endpoint", (page) =>
      page.getByRole("region", { name: "Events of discord" }).getByRole("note").waitFor(),
    );
  });

  test("an endpoint is made with a secret, and says where its URL is entered", async () => {
    const { runtime } = get().served;
    await using visited = await openSignedIn(get(), "/apps");
    const { page } = visited;
    await page.getByRole("button", { name: "New endpoint" }).click();
    await page.getByRole("textbox", { name: "App" }).fill("slack_v2");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("alert").getByText("scheme slack needs a secret").waitFor();
    await page.getByLabel("Secret").fill("secret-of-slack-2");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "slack_v2" }).waitFor();
    const endpoint = page.getByRole("region", { name: "Endpoint" });
    await endpoint.getByText("Open api.slack.com/apps, then your app.").waitFor();
    await endpoint.getByRole("button", { name: "Copy the URL" }).click();
    const made = await runtime.appEndpoint("slack_v2");
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(made.endpointUrl);
    expect(made).toMatchObject({ scheme: "slack", secrets: 1, reader: "slack" });
    expect(await page.content()).not.toContain("secret-of-slack-2");
    expectQuiet(visited);
  });

  test("who listens is shown, and why some get nothing", async () => {
    await using visited = await openSignedIn(get(), "/apps/slack");
    const { page } = visited;
    const part = page.getByRole("region", { name: "Sources that listen" });
    await part
      .getByRole("listitem")
      .filter({ hasText: "paused messages" })
      .getByText("paused", { exact: true })
      .waitFor();
    const unaddressed = part.getByRole("listitem").filter({ hasText: "unaddressed messages" });
    await unaddressed.getByText("unknown account").waitFor();
    await unaddressed.getByRole("link", { name: "set team_id" }).waitFor();
    await part.getByRole("link", { name: "messages", exact: true }).click();
    await page.getByRole("region", { name: "Events of slack" }).getByText(url, { exact: true }).waitFor();
    await page.getByRole("link", { name: "The app" }).click();
    await page.getByRole("heading", { name: "slack" }).waitFor();
    expectQuiet(visited);
  });

  test("requests appear as they come: signed ones, and those that are refused", async () => {
    await using visited = await openSignedIn(get(), "/apps/slack");
    const { page } = visited;
    const rows = page.getByRole("group", { name: "Recent requests" }).getByRole("row");
    await rows.filter({ hasText: "duplicate" }).getByText("Ev1").waitFor();
    expect(await postMessage(url, { channel: "C7", text: "<b>now</b>" }, "Ev7")).toBe(200);
    const arrived = rows.filter({ hasText: "Ev7" });
    await arrived.getByText("delivered").waitFor();
    await arrived.getByText("message, C7, message:C7").waitFor();
    const refused = rows.filter({ hasText: "signature mismatch" });
    const before = await refused.count();
    expect(await postMessage(url, { channel: "C8", text: "no" }, "Ev8", "v0=11")).toBe(401);
    await expect.poll(() => refused.count()).toBe(before + 1);
    expect(await rows.filter({ hasText: "Ev8" }).count()).toBe(0);
    expectQuiet(visited);
  });

  test("a test event reaches the sources that listen, whose runs are linked, and is not sent twice unless asked", async () => {
    await using visited = await openSignedIn(get(), "/apps/slack");
    const { page } = visited;
    const form = page.getByRole("region", { name: "Send test event" });
    const send = form.getByRole("button", { name: "Send test event" });
    expect(await form.getByLabel("Names").inputValue()).toBe("message");
    await form.getByLabel("Account").fill("T1");
    await send.click();
    await form.getByRole("alert").getByText("field=value").waitFor();
    await form.getByLabel("Account").fill("team_id=T1");
    await form.getByLabel("Id").fill("test-1");
    await form.getByLabel("Data").fill('{"text":"a test"}');
    await send.click();
    await form.getByRole("link", { name: "messages", exact: true }).waitFor();
    await send.click();
    await form.getByText("A duplicate: the app").waitFor();
    await form.getByRole("button", { name: "Send it again" }).click();
    await form.getByRole("link", { name: "messages", exact: true }).click();
    await page.getByRole("link", { name: /^OK/ }).first().click();
    await page.getByText('"a test"').first().waitFor();
    await page.getByText("test-1").waitFor();
    await page.getByRole("definition").getByRole("link", { name: "slack", exact: true }).waitFor();
    expectQuiet(visited);
  });

  test("secrets are replaced and added, the URL is changed, and the endpoint is removed", async () => {
    const { runtime } = get().served;
    await runtime.putAppEndpoint({ app: "github", secret: "first" });
    await using visited = await openSignedIn(get(), "/apps/github");
    const { page } = visited;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add a secret" }).click();
    await dialog.getByLabel("Secret", { exact: true }).fill("second");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await runtime.appEndpoint("github")).secrets).toBe(2);
    await page.getByRole("button", { name: "Replace secret" }).click();
    await dialog.getByLabel("Secret", { exact: true }).fill("third");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await runtime.appEndpoint("github")).secrets).toBe(1);
    const { endpointUrl: old } = await runtime.appEndpoint("github");
    await page.getByText(old, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Rotate URL" }).click();
    await dialog.getByRole("button", { name: "Rotate" }).click();
    await page.getByText("The endpoint has another URL").waitFor();
    const { endpointUrl: next } = await runtime.appEndpoint("github");
    await page.getByText(next, { exact: true }).waitFor();
    expect(await page.getByText(old, { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Remove" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Create the endpoint" }).waitFor();
    await expect(runtime.appEndpoint("github")).rejects.toMatchObject({ code: "not_found" });
    expectQuiet(visited);
  });

  test("an endpoint whose requests are not verified is warned of, when it is made and later", async () => {
    const { runtime } = get().served;
    await using visited = await openSignedIn(get(), "/apps/zoom");
    const { page } = visited;
    const warning = "Requests are not verified: everybody who knows the URL can send events.";
    await page.getByRole("button", { name: "Create the endpoint" }).click();
    await page.getByLabel("Scheme").selectOption("none");
    await page.getByRole("dialog").getByText(warning).waitFor();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("region", { name: "Verification" }).getByText(warning).waitFor();
    await page.getByText("not verified", { exact: true }).waitFor();
    expect(await runtime.appEndpoint("zoom")).toMatchObject({ scheme: "none", service: "zoom", secrets: 0 });
    expectQuiet(visited);
  });

  test("another service is read by code, with a signature that is described", async () => {
    const { runtime } = get().served;
    await using visited = await openSignedIn(get(), "/apps/acme");
    const { page } = visited;
    await page.getByRole("button", { name: "Create the endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Service").selectOption("code");
    await dialog.getByLabel("Scheme").selectOption("hmac");
    await dialog.getByLabel("header").fill("x-acme-signature");
    await dialog.getByLabel("prefix").fill("sha256=");
    await dialog.getByText("More of the scheme").click();
    await dialog.getByLabel("tolerance").fill("60");
    await dialog.getByLabel("Secret").fill("acme-secret");
    await page.locator(".editor:not([hidden])").waitFor();
    await page.getByRole("textbox", { name: "Reader" }).focus();
    await page.keyboard.insertText(reader);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("region", { name: "Verification" }).getByText("x-acme-signature").waitFor();
    expect(await runtime.appEndpoint("acme")).toMatchObject({
      scheme: "hmac",
      reader: "custom",
      parameters: { header: "x-acme-signature", prefix: "sha256=", tolerance: 60 },
    });
    expectQuiet(visited);
  });

  test("accounts of an embedder have any id, and those without a name that can be read are shown by it", async () => {
    await using served = await startServed(undefined, { accounts: () => ({ token: "token" }) });
    const { runtime } = served;
    const code = listenerText("slack", `eventNames: ["message"]`);
    const props = { app: { authProvisionId: "ann@shop.example, Paris" } };
    const { source } = await runtime.deploy({ code, name: "embedded", props });
    const { id } = await runtime.createAccount({ app: "slack", name: "Ours", auth: { team_id: "T1" } });
    await runtime.deploy({ code, name: "stored", props: { app: { authProvisionId: id } } });
    await using visited = await openSignedIn({ ...get(), served }, "/apps/slack");
    const { page } = visited;
    const items = page.getByRole("region", { name: "Sources that listen" }).getByRole("listitem");
    await items.filter({ hasText: "of ann@shop.example, Paris" }).waitFor();
    await items.filter({ hasText: "of Ours" }).waitFor();
    await page.goto(`${served.url}/#/sources/${source.id}`);
    await page.getByRole("definition").getByText("ann@shop.example, Paris", { exact: true }).waitFor();
    await page.route(/accounts/, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`${served.url}/#/apps/slack`);
    await items.filter({ hasText: `of ${id}` }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expectQuiet(visited);
  });

  test("what is typed stays when a source with another account appears", async () => {
    const { runtime } = get().served;
    await runtime.putAppEndpoint({ app: "gitlab", scheme: "none", code: reader });
    await using visited = await openSignedIn(get(), "/apps/gitlab");
    const { page } = visited;
    const data = page.getByRole("region", { name: "Send test event" }).getByLabel("Data");
    await data.fill('{"typed":1}');
    const account = await connected(runtime, "gitlab", { group_id: "G1" });
    const code = listenerText("gitlab", `eventNames: ["push"]`);
    await runtime.deploy({ code, name: "late listener", props: { app: account } });
    await page.getByRole("link", { name: "late listener" }).waitFor();
    expect(await data.inputValue()).toBe('{"typed":1}');
    expectQuiet(visited);
  });
});
