import { afterAll, beforeAll, expect, test } from "vitest";

import { startService } from "../conformance/fixture.ts";
import { addUser } from "../conformance/user-client.ts";
import { startConnected } from "../oauth/connected.ts";
import { clientAt, connectionAttacks, type World } from "./connections/connection-attacks.ts";

let world: World;
beforeAll(async () => {
  const connected = await startConnected();
  const { service, server } = connected;
  const alice = await addUser(service, { username: "alice" });
  const bob = await addUser(service, { username: "bob" });
  for (const user of [alice, bob]) await user.data("PUT", "/apps/acme", clientAt(server.issuer));
  world = { ...connected, alice, bob };
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(connectionAttacks)("$id: $promise", async ({ attack }) => {
  await attack(world);
  expect((await world.alice.call("GET", "/users/me")).status).toBe(200);
});

test("connection-to-a-private-address: egress-public", async () => {
  await using service = await startService();
  const oauth = { client_id: "c", client_secret: "s", grant: "client_credentials" };
  for (const token_url of ["http://127.0.0.1:1/token", "https://10.0.0.1/token", "https://[::1]/token"]) {
    expect((await service.call("PUT", "/apps/inside", { oauth: { ...oauth, token_url } })).status).toBe(200);
    const reply = await service.call("POST", "/accounts/connect", { app: "inside" });
    expect([reply.status, reply.body.error]).toEqual([422, expect.stringContaining("denied") as string]);
  }
});
