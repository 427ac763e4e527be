import { beforeAll, expect, test } from "vitest";

import { answer, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { component } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { startServed } from "./served.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

const attack = `<img src=x onerror="alert(1)">`;

/** Webhooks: the list, and one with its deliveries. */
describeInBrowser((get) => {
  let id = "";
  let gone = "";
  beforeAll(async () => {
    const { runtime } = get().served;
    const receiver = await startReceiver();
    receiver.on("/refusing", answer(503));
    receiver.on("/archive", (response) =>
      response.writeHead(202, { "content-type": "text/html", "x-request-id": "req-1" }).end(`kept ${attack}`),
    );
    receiver.on("/gone", answer(410));
    const { source } = await runtime.deploy({
      code: component({ name: "Posting", run: `this.$emit(event, { name: event.name })` }),
    });
    id = (await runtime.createWebhook({ url: `${receiver.url}/archive`, name: "Archive" })).id;
    const refusing = await runtime.createWebhook({ url: `${receiver.url}/refusing`, name: attack });
    gone = (await runtime.createWebhook({ url: `${receiver.url}/gone` })).id;
    await runtime.subscribe({ emitterId: source.id, listenerId: id });
    await runtime.subscribe({ emitterId: source.id, listenerId: refusing.id });
    await runtime.subscribe({ emitterId: source.id, listenerId: gone, eventName: "closing" });
    await runtime.autoSubscribe({ listenerId: id, eventName: "$errors" });
    for (const text of ["first", attack]) await runtime.invoke(source.id, { event: { text } });
    await runtime.invoke(source.id, { event: { name: "closing" } });
    await runtime.idle();
  });

  test("the list is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), "/webhooks", "webhooks", (page) => page.getByRole("link", { name: "Archive" }).waitFor()));

  test("a webhook is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), `/webhooks/${id}`, "webhook", async (page) => {
      await page
        .getByRole("button", { name: /^Delivered .* attempt/ })
        .first()
        .click();
      await page.getByRole("heading", { name: /^Event/ }).waitFor();
      await page.getByText('"text"').waitFor();
    }));

  test("a delivery shows its attempts and its event as text, and is sent again", async () => {
    await using visited = await openSignedIn(get(), `/webhooks/${id}`);
    const { page } = visited;
    await page
      .getByRole("button", { name: /^Delivered .* attempt/ })
      .first()
      .click();
    await page.getByRole("region", { name: "Event" }).getByText("<img src=x onerror=").waitFor();
    await page.getByRole("cell", { name: /^1\. / }).waitFor();
    await page.getByRole("button", { name: "Redeliver", exact: true }).first().click();
    await page.getByRole("status").getByText("Delivered: the receiver answered 202 after").waitFor();
    await page.getByRole("cell", { name: /^2\. / }).waitFor();
    const last = page.getByRole("region", { name: "Answer 2" });
    await last.getByText(`kept ${attack}`).waitFor();
    await last.getByText("req-1").waitFor();
    await page.getByRole("button", { name: "Answer 1" }).click();
    await page.getByRole("region", { name: "Answer 1" }).getByText(`kept ${attack}`).waitFor();
    expectQuiet(visited);
  });

  test("deliveries are shown page by page, and those of one status are asked from the service", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({
      code: component({ name: "Bulk", run: "for (let n = 0; n < 130; n++) this.$emit(n)" }),
    });
    const { id: bulk } = await runtime.createWebhook({ url: "http://127.0.0.1:9/nobody", name: "Bulk" });
    await runtime.subscribe({ emitterId: source.id, listenerId: bulk });
    await runtime.invoke(source.id);
    await using visited = await openSignedIn(get(), `/webhooks/${bulk}?status=pending`);
    const { page } = visited;
    const rows = page.getByRole("button", { name: /^Pending .* attempt/ });
    await page.getByRole("button", { name: "Pending 130" }).waitFor();
    await rows.nth(99).waitFor();
    expect(await rows.count()).toBe(100);
    await page.getByRole("button", { name: "Show more of 30 older" }).click();
    await rows.nth(129).waitFor();
    await page.getByRole("button", { name: "Dead letters" }).click();
    await page.getByText("No such deliveries").waitFor();
    expectQuiet(visited);
  });

  test("dead letters are listed, with the reason", async () => {
    await using visited = await openSignedIn(get(), `/webhooks/${gone}`);
    const { page } = visited;
    await page.getByText("Paused", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Dead letters 1" }).click();
    await page.getByRole("button", { name: /^Dead letter .*410/ }).waitFor();
    await page.getByRole("button", { name: "Pending" }).click();
    await page.getByText("No such deliveries").waitFor();
    expectQuiet(visited);
  });

  test("all dead letters are sent again, with progress", async () => {
    const { runtime } = get().served;
    const receiver = await startReceiver();
    receiver.on("/", answer(410));
    const { source } = await runtime.deploy({ code: component({ name: "Failing", run: "this.$emit(1)" }) });
    const { id: failing } = await runtime.createWebhook({ url: receiver.url, name: "Failing" });
    await runtime.subscribe({ emitterId: source.id, listenerId: failing });
    for (let dead = 0; dead < 3; dead++) {
      await runtime.updateWebhook(failing, { active: true });
      await runtime.invoke(source.id);
      await runtime.idle();
    }
    await runtime.updateWebhook(failing, { active: true });
    receiver.on("/", answer(200));
    await using visited = await openSignedIn(get(), `/webhooks/${failing}?status=dead`);
    const { page } = visited;
    await page.getByRole("button", { name: "Redeliver 3 dead" }).click();
    await page.getByText("3 deliveries to Failing sent again, and all of them were delivered").waitFor();
    await page.getByText("No such deliveries").waitFor();
    await page.getByRole("button", { name: "Delivered 3" }).waitFor();
    expectQuiet(visited);
  });

  test("the list shows what happens to deliveries, and shows only failing ones", async () => {
    const { runtime } = get().served;
    const receiver = await startReceiver();
    receiver.on("/", answer(503));
    const { source } = await runtime.deploy({ code: component({ name: "Told", run: "this.$emit(1)" }) });
    const { id: told } = await runtime.createWebhook({ url: receiver.url, name: "Told" });
    await runtime.subscribe({ emitterId: source.id, listenerId: told });
    await runtime.invoke(source.id);
    await expect.poll(async () => (await runtime.webhookActivity(told)).lastAttempt).toBeDefined();
    await using visited = await openSignedIn(get(), "/webhooks?q=told");
    const { page } = visited;
    const row = page.getByRole("row", { name: /^Told/ });
    await row.getByText("Failing", { exact: true }).waitFor();
    await row.getByText("503", { exact: true }).waitFor();
    await row.getByText("0 % of 1", { exact: true }).waitFor();
    await row.getByText("oldest").waitFor();
    await page.getByRole("button", { name: "Paused" }).click();
    await page.getByText("No webhook matches").waitFor();
    await page.getByRole("button", { name: /^Failing/ }).click();
    await row.getByText("Told", { exact: true }).waitFor();
    await row.getByText("0 % of 1", { exact: true }).click();
    await page.getByRole("heading", { name: "Told" }).waitFor();
    expectQuiet(visited);
  });

  test("deliveries of a time range are sent again, and those that fail are counted", async () => {
    const { runtime } = get().served;
    const receiver = await startReceiver();
    const { source } = await runtime.deploy({ code: component({ name: "Ranged", run: "this.$emit(1)" }) });
    const { id: ranged } = await runtime.createWebhook({ url: receiver.url, name: "Ranged" });
    await runtime.subscribe({ emitterId: source.id, listenerId: ranged });
    receiver.on("/", answer(204));
    for (let sent = 0; sent < 2; sent++) await runtime.invoke(source.id);
    await runtime.idle();
    receiver.on("/", (response, request, nth) => answer(nth === 3 ? 500 : 204)(response, request, nth));
    await using visited = await openSignedIn(get(), `/webhooks/${ranged}`);
    const { page } = visited;
    await page.getByRole("button", { name: "Redeliver a range" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delivered ones" }).click();
    await dialog.getByLabel("Created from").fill("2020-01-01T00:00:00");
    await dialog.getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("2 deliveries to Ranged sent again: 1 delivered, 1 failed").waitFor();
    expectQuiet(visited);
  });

  test("a webhook is made, changed, gets a new key and is deleted", async () => {
    const { runtime } = get().served;
    await using visited = await openSignedIn(get(), "/webhooks");
    const { page } = visited;
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByLabel("URL").fill("not a url");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("alert").getByText(/url/i).waitFor();
    await page.getByLabel("URL").fill("http://127.0.0.1:9/made");
    await page.getByLabel("Name").fill("Made here");
    await page.getByRole("button", { name: "Create" }).click();
    await page
      .getByRole("dialog")
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: "Made here" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("The webhook is paused").waitFor();
    await page.getByRole("button", { name: "Rotate key" }).click();
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("The webhook is deleted").waitFor();
    const { items } = await runtime.webhooks({ limit: 100 });
    expect(items.map(({ name }) => name)).not.toContain("Made here");
    expectQuiet(visited);
  });

  test("a search that finds nothing is cleared without losing the box, and what is there is not called empty", async () => {
    await using served = await startServed();
    await served.runtime.createWebhook({ url: "http://127.0.0.1:9/", name: "Only" });
    await using visited = await openSignedIn({ ...get(), served }, "/webhooks?q=none");
    const { page } = visited;
    await page.getByText("No webhook matches").waitFor();
    const asked = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    await page.route(/webhooks\?.*&q=&/, async (route) => {
      asked.resolve(undefined);
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    const box = page.getByRole("searchbox", { name: "Search webhooks" });
    await box.press("End");
    for (const _ of "none") await box.press("Backspace");
    await asked.promise;
    await page.getByText("Loading…").waitFor();
    expect(await page.getByText("No webhooks yet").count()).toBe(0);
    held.resolve(undefined);
    await page.getByRole("link", { name: "Only" }).waitFor();
    await page.keyboard.type("on");
    expect(await box.inputValue()).toBe("on");
    expectQuiet(visited);
  });

  test("the box of a list of few items stays once something was searched", async () => {
    await using visited = await openSignedIn(get(), "/workflows?q=none");
    const { page } = visited;
    await page.getByText("Nothing matches").waitFor();
    const box = page.getByRole("searchbox", { name: "Search workflows" });
    await box.fill("");
    await page.getByText("No workflows", { exact: true }).waitFor();
    await page.keyboard.type("x");
    expect(await box.inputValue()).toBe("x");
    expectQuiet(visited);
  });

  test("a list without webhooks shows the first one, and a problem from its beginning to its end", async () => {
    await using served = await startServed();
    await using visited = await openSignedIn({ ...get(), served }, "/webhooks");
    const { page } = visited;
    await page.getByText("No webhooks yet").waitFor();
    await served.runtime.createWebhook({ url: "http://127.0.0.1:9/", name: "First" });
    await page.getByRole("link", { name: "First" }).waitFor();
    const problem = page.getByRole("alert").getByText("The service does not answer.");
    const asked = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    let failed = 0;
    let isDown = true;
    await page.route(/webhooks\?/, async (route) => {
      failed += 1;
      if (failed === 2) {
        asked.resolve(undefined);
        await held.promise;
      }
      await (isDown ? route.abort() : route.continue());
    });
    await problem.waitFor();
    await asked.promise;
    expect(await problem.count()).toBe(1);
    isDown = false;
    held.resolve(undefined);
    await problem.waitFor({ state: "detached" });
    await page.goto(`${served.url}/#/webhooks?q=first`);
    await page.getByText("1 found").waitFor();
    await page.route(/&ids=/, (route) => route.abort());
    await problem.waitFor();
    await page.unroute(/&ids=/);
    await problem.waitFor({ state: "detached" });
    expectQuiet(visited);
  });
});
