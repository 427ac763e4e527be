import { conformance, source } from "@x/testing/vitest";
import { expect, test } from "vitest";

const file = new URL("http-inbox.js", import.meta.url);

async function deployed() {
  const inbox = source(file);
  await inbox.deploy();
  return inbox;
}

test("a message is answered 201 with its id, and emitted", async () => {
  const inbox = await deployed();
  const answer = await inbox.request("POST /", { body: { message: "hello", from: "me" } });
  expect(answer).toHaveRespondedWith(201, { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown });
  expect(inbox).toHaveEmitted([{ ...(answer.body as object), message: "hello", from: "me" }]);
});

test("the same id twice is answered twice and emitted once", async () => {
  const inbox = await deployed();
  for (const message of ["first", "again"]) {
    const answer = await inbox.request("POST /", { body: { id: "order-1", message } });
    expect(answer).toHaveRespondedWith(201, { id: "order-1" });
  }
  expect(inbox).toHaveEmitted([{ id: "order-1", message: "first", from: null }]);
  expect(inbox).toHaveDeduped([{ id: "order-1", event: { message: "again" } }]);
});

test("an invalid message is refused and not emitted", async () => {
  const inbox = await deployed();
  const long = "x".repeat(1_001);
  for (const body of [undefined, [], {}, { message: " " }, { message: long }, { message: "x", id: "a b" }])
    expect(await inbox.request("POST /", { body })).toHaveRespondedWith(400);
  expect(await inbox.request("GET /")).toHaveRespondedWith({ status: 405, headers: { allow: "POST" } });
  expect(inbox).toHaveEmittedTimes(0);
});

test("it conforms", () => conformance(file, { requests: [["POST /", { body: { id: "order-1", message: "hello" } }]] }));
