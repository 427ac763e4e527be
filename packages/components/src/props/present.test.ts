import { expect, test } from "vitest";

import type { ComponentShape } from "../../../model/src/model.ts";
import { configurableProps, presentProps } from "./present.ts";

const shape: ComponentShape = {
  name: "Feed",
  version: "1",
  hooks: [],
  props: [
    { name: "acme", type: "app", app: "acme" },
    { name: "db", type: "$.service.db" },
    { name: "url", type: "string", label: "Feed", remoteOptions: true },
    { name: "timer", type: "$.interface.timer", default: { intervalSeconds: 900 } },
    { name: "http", type: "$.interface.http", customResponse: true },
    { name: "token", type: "string", secret: true },
    { name: "note", type: "string", optional: true },
    { name: "info", type: "alert", content: "c" },
  ],
};

test("R008 R009 configurable props are in declaration order, name and type first", () => {
  expect(configurableProps(shape)).toEqual(shape.props);
  expect(JSON.stringify(configurableProps(shape).slice(2, 4))).toBe(
    `[{"name":"url","type":"string","label":"Feed","remoteOptions":true},{"name":"timer","type":"$.interface.timer","default":{"intervalSeconds":900}}]`,
  );
});

test("R012 R013 G33 configured props are shown without secrets, endpoints as URLs, db by type", () => {
  const timer = { cron: null, interval_seconds: 60 };
  const configured = { url: "u", timer, token: "hush", acme: { authProvisionId: "apn_1" } };
  expect(presentProps(shape, configured, { http: "http://127.0.0.1:7777/in/k" })).toEqual({
    acme: { authProvisionId: "apn_1" },
    db: { type: "$.service.db" },
    url: "u",
    timer,
    http: { endpoint_url: "http://127.0.0.1:7777/in/k" },
    token: { __secret: true },
  });
});

test("what is not configured is not shown", () => {
  expect(presentProps(shape, {}, {})).toEqual({ db: { type: "$.service.db" } });
});
