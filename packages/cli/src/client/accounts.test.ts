import { expect, test } from "vitest";

import { findAccountId } from "./accounts.ts";
import { createRestClient } from "./rest-client.ts";

test("a name of several accounts means that of the app", async () => {
  const accounts = [
    { id: "apn_1", app: "acme", name: "work" },
    { id: "apn_2", app: "shop", name: "work" },
    { id: "apn_3", app: "shop", name: "home" },
  ];
  const page = { page_info: { total_count: 3, count: 3, start_cursor: "", end_cursor: "" }, data: accounts };
  const client = createRestClient("http://127.0.0.1:1", "key", () => Promise.resolve(Response.json(page)));
  expect(await findAccountId(client, "work", "acme")).toBe("apn_1");
  expect(await findAccountId(client, "work", "shop")).toBe("apn_2");
  // The name of a prop is no app.
  expect(await findAccountId(client, "home", "myShop")).toBe("apn_3");
  await expect(findAccountId(client, "work")).rejects.toThrow('Several have the name "work"');
});
