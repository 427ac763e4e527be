import { afterAll, beforeAll, expect, test } from "vitest";

import { type Data, type ErrorBody, type Reply, type Service, startService } from "./fixture.ts";

interface ProjectBody {
  readonly name: string;
  readonly revision: number;
  readonly resources: readonly object[];
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const put = (name: string, body: object): Promise<Reply<Data<ProjectBody> & ErrorBody>> =>
  service.call("PUT", `/projects/${name}`, body);
const resource = { kind: "source", name: "orders", id: null, made: true, fingerprint: null };

test("the record of a project is replaced by its revision; of two changes at once one is refused", async () => {
  const made = await put("shop", { revision: 0, resources: [resource] });
  expect(made.body.data).toMatchObject({ name: "shop", revision: 1, resources: [resource] });
  const both = await Promise.all(
    ["dc_1", "dc_2"].map((id) => put("shop", { revision: 1, resources: [{ ...resource, id }] })),
  );
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.body.code).toBe("project_changed");
  const { body } = await service.call<Data<ProjectBody>>("GET", "/projects/shop");
  expect(body.data).toEqual(both.find(({ status }) => status === 200)?.body.data);

  expect((await service.call("DELETE", "/projects/shop")).status).toBe(204);
  expect((await service.call("GET", "/projects/shop")).status).toBe(404);
  expect((await put("shop", { revision: 0, resources: [] })).body.data.revision).toBe(1);
});
