import { beforeAll, expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectQuiet, openSignedIn } from "./stage.ts";

const paths = [
  "overview",
  "sources",
  "runs",
  "logs",
  "flow",
  "flow?view=table",
  "webhooks",
  "workflows",
  "accounts",
  "users",
  "clock",
  "deploy",
];

/** Everything of one user has this word in its name. */
const word = "Marmalade";

/** Two users: none sees anything of the other. */
describeInBrowser((get) => {
  let apiKey = "";
  let sourceId = "";
  let webhookId = "";
  let workflowId = "";
  let run = "";
  beforeAll(async () => {
    const { runtime } = get().served;
    ({ apiKey } = await runtime.addUser({ username: "neighbour" }));
    const code = component({
      name: word,
      run: `console.log("${word}"); this.$emit({ ${word}: 1 }, { summary: "${word}" }); if (event.fail) throw new Error("${word}")`,
    });
    sourceId = (await runtime.deploy({ code })).source.id;
    webhookId = (await runtime.createWebhook({ url: `http://127.0.0.1:9/${word}`, name: word })).id;
    await runtime.subscribe({ emitterId: sourceId, listenerId: webhookId });
    await runtime.createAccount({ app: "acme", name: word, auth: { token: word } });
    const flow = `export default { name: "${word}", steps: [{ name: "only", run() {} }] };`;
    workflowId = (await runtime.workflow({ code: flow, name: word })).id;
    run = (await runtime.invoke(sourceId)).executionId;
    await runtime.invoke(sourceId, { event: { fail: true } });
  });

  test("no page of a user has anything of another user, also while the other's sources run", async () => {
    const { served } = get();
    await using visited = await openSignedIn(get(), "/sources", {}, apiKey);
    const { page } = visited;
    const answers: string[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/v1/") && !response.url().includes("stream"))
        void response.text().then(
          (text) => answers.push(text),
          () => undefined,
        );
    });
    const own = [`runs/${run}`, `sources/${sourceId}`, `webhooks/${webhookId}`, `workflows/${workflowId}`];
    for (const path of [...paths, ...own]) {
      await page.goto(`${served.url}/#/${path}`);
      await page.locator("main > *").first().waitFor();
      await served.runtime.invoke(sourceId, { event: { fail: path.length % 2 === 0 } });
      await expect.poll(() => page.getByRole("status").filter({ hasText: "…" }).count()).toBe(0);
      expect(await page.locator("main").innerText(), path).not.toContain(word);
    }
    expect(answers.length).toBeGreaterThan(paths.length);
    expect(answers.filter((text) => text.includes(word))).toEqual([]);
    expectQuiet(visited);
  });
});
