import { beforeAll, expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { component } from "../conformance/fixture.ts";
import { clientId, clientSecret, startAuthorizationServer } from "../oauth/authorization-server.ts";
import { startServed } from "./served.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

const attack = `<img src=x onerror="alert(1)">`;
const workflow = `export default {
  name: "Greeting",
  trigger: { type: "http" },
  steps: [
    { name: "words", run: ({ steps }) => steps.trigger.event.text.split(" ") },
    { name: "tell", run({ steps, $ }) { $.send.emit(steps.words.$return_value, { summary: "Told" }); } },
  ],
};`;

/** Accounts, users, workflows and the manual clock. */
describeInBrowser((get) => {
  beforeAll(async () => {
    const { runtime } = get().served;
    await runtime.createAccount({ app: "acme", name: attack, auth: { token: "credential-1" } });
    await runtime.addUser({ username: "second" });
    const { id } = await runtime.workflow({ code: workflow, name: "Greeting" });
    await runtime.invoke(id, { event: { text: "hello world" } });
  });

  test("accounts are accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), "/accounts", "accounts", (page) =>
      page.getByRole("cell", { name: attack, exact: true }).waitFor(),
    ));

  test("an account is connected, renamed and deleted, also one in use, and its credentials are never shown", async () => {
    const { runtime } = get().served;
    await using visited = await openSignedIn(get(), "/accounts");
    const { page } = visited;
    await page.getByRole("button", { name: "Connect an account" }).click();
    await page.getByLabel("App").fill("acme");
    await page.getByLabel("Name", { exact: true }).fill("Made here");
    await page.getByLabel("Name of field 1").fill("token");
    await page.getByLabel("Value of field 1").fill("credential-2");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("cell", { name: "Made here", exact: true }).waitFor();
    const { items } = await runtime.accounts({ limit: 10 });
    const made = items.find(({ name }) => name === "Made here")?.id ?? "";
    const code = component({
      name: "Using",
      props: 'acme: { type: "app", app: "acme" }',
      run: "this.$emit(this.acme.$auth.token.length)",
    });
    const { source } = await runtime.deploy({ code, props: { acme: { authProvisionId: made } } });
    expect((await runtime.invoke(source.id)).emitted).toHaveLength(1);
    await page.getByRole("button", { name: "Change Made here" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Renamed");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "Renamed", exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete Renamed" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { name: "Sources use this account" }).waitFor();
    await page.getByRole("button", { name: "Delete anyway" }).click();
    await expect.poll(() => page.getByRole("cell", { name: "Renamed", exact: true }).count()).toBe(0);
    expect(await page.content()).not.toContain("credential-");
    expectQuiet(visited);
  });

  test("an account is connected with an app, on the page of its service, and connected again", async () => {
    await using served = await startServed(undefined, { network: { mode: "allow-private" } });
    const { runtime, url } = served;
    const callback = `${url}/oauth/callback`;
    await using server = await startAuthorizationServer({ redirectUris: [callback] });
    const client = { clientId, clientSecret, issuer: server.issuer, scopes: ["openid", "read"] };
    await runtime.putApp({ app: "zeta", oauth: client });
    await runtime.putApp({ app: "keyed", fields: [{ name: "api_key", label: "API key" }] });
    await using visited = await openSignedIn({ ...get(), served }, "/accounts");
    const { page } = visited;
    const agree = async (): Promise<void> => {
      const link = page.getByRole("link", { name: "Agree on the page of zeta" });
      const address = new URL((await link.getAttribute("href")) ?? "");
      const back = await server.agree(address.href, address.searchParams.get("redirect_uri") ?? "");
      await runtime.answerConnection(back);
    };
    await page.getByRole("button", { name: "Connect with an app" }).click();
    await page.getByRole("combobox").selectOption("zeta");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await agree();
    await page.getByRole("button", { name: "Connect zeta again" }).click();
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await agree();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect((await runtime.accounts({ limit: 10 }, { app: "zeta" })).totalCount).toBe(1);

    await page.getByRole("button", { name: "Connect with an app" }).click();
    await page.getByRole("combobox").selectOption("keyed");
    expect(await page.getByLabel("API key").getAttribute("type")).toBe("password");
    await page.getByLabel("API key").fill("key-of-keyed");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("cell", { name: "keyed", exact: true }).waitFor();
    expect(await page.content()).not.toContain("key-of-keyed");
    expectQuiet(visited);
  });

  test("users are accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), "/users", "users", (page) =>
      page.getByRole("cell", { name: "second", exact: true }).waitFor(),
    ));

  test("the first user adds a user and rotates a key; other users have no such page", async () => {
    await using visited = await openSignedIn(get(), "/users");
    const { page } = visited;
    await page.getByRole("button", { name: "Add a user" }).click();
    await page.getByLabel("User name").fill("second");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("User name").fill("third");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const key = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("cell", { name: "third", exact: true }).waitFor();
    await using other = await openSignedIn(get(), "/users", {}, key);
    await other.page.getByRole("alert").waitFor();
    expect(await other.page.getByRole("link", { name: "Users" }).count()).toBe(0);
    await page.getByRole("button", { name: "Rotate key of third" }).click();
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    const next = await page
      .getByRole("dialog")
      .filter({ hasText: "It is shown only now" })
      .locator("code")
      .textContent();
    expect(next).not.toBe(key);
    await other.page.reload();
    await other.page.getByText("Your session has ended.").waitFor();
    expectQuiet(visited);
  });

  test("workflows are accessible, in both colours and on a small screen", async () => {
    await expectAccessible(get(), "/workflows", "workflows", (page) =>
      page.getByRole("link", { name: "Greeting" }).waitFor(),
    );
    const [first] = (await get().served.runtime.workflows({ limit: 1 })).items;
    await expectAccessible(get(), `/workflows/${first?.id}`, "workflow", async (page) => {
      await page.getByRole("region", { name: "Steps" }).getByText("words").waitFor();
      await page.getByRole("link", { name: "OK: Told" }).waitFor();
    });
  });

  test("a run of a workflow has its steps in the timeline", async () => {
    await using visited = await openSignedIn(get(), "/workflows");
    const { page } = visited;
    await page.getByRole("link", { name: "Greeting" }).click();
    await page.getByRole("link", { name: "OK: Told" }).click();
    await page.getByRole("region", { name: "Timeline" }).getByText("tell").waitFor();
    expectQuiet(visited);
  });

  test("the manual clock shows what becomes due, and moves", async () => {
    const clock = manualClock(Date.UTC(2026, 0, 1));
    await using served = await startServed(clock);
    const timer = 'timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }';
    const { source } = await served.runtime.deploy({
      code: component({ name: "Ticking", props: timer, run: "this.$emit(1)" }),
    });
    const stage = { browser: get().browser, served };
    await expectAccessible(stage, "/clock", "clock", (page) => page.getByRole("link", { name: "ticking" }).waitFor());
    await using visited = await openSignedIn(stage, "/clock");
    const { page } = visited;
    await page.getByText("5 times").waitFor();
    await page.getByRole("button", { name: "1h", exact: true }).click();
    await page.getByText("60 times").waitFor();
    await page.getByRole("textbox", { name: "Advance by" }).fill("2m");
    await page.getByRole("button", { name: "Advance 2m" }).click();
    await page.getByText("2 due times ran").waitFor();
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1, 0, 2));
    expect((await served.runtime.storedEvents(source.id, "emits", { limit: 10 })).items).toHaveLength(2);
    await page.getByRole("textbox", { name: "Advance by" }).fill("soon");
    await page.getByText("Write a span such as 90s").waitFor();
    expectQuiet(visited);
  });
});
