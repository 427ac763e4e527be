import { expect, test } from "vitest";

import type { AccountApp } from "../../../../model/src/account-app.ts";
import { addressesOf, namesIn, serverOf, urlProblem } from "../server.ts";
import { findService } from "./find-service.ts";
import { services } from "./table.ts";

const appOf = (slug: string): AccountApp => ({
  userId: "u_1",
  slug,
  oauth: { clientId: "c" },
  clientSecret: "s",
  fields: [],
  createdAt: 0,
  updatedAt: 0,
});

test("there are thirty-one services, each name and slug belongs to one of them, and all are found by it", () => {
  expect(services.length).toBe(31);
  const names = services.flatMap(({ name, apps }) => [name, ...apps]);
  expect(new Set(names).size).toBe(names.length);
  for (const service of services)
    for (const name of [service.name, ...service.apps]) expect(findService(name)).toBe(service);
});

test("every address is encrypted, and its braces are fields that a person fills in", () => {
  for (const { name, server, fields = [], docs } of services) {
    const parts = new Set(addressesOf(server).flatMap(namesIn));
    expect([...parts].toSorted(), name).toEqual(fields.map((field) => field.name).toSorted());
    for (const url of [...addressesOf(server), docs]) {
      expect(urlProblem(url.replaceAll(/\{\w+\}/g, "a")), `${name} ${url}`).toBeUndefined();
      expect(url, name).toMatch(/^https:/);
    }
    expect(fields.every(({ secret }) => secret === false)).toBe(true);
  }
});

test("an app with the slug of a service needs its client alone", () => {
  for (const { name, server, fields = [] } of services) {
    const values = Object.fromEntries(fields.map((field) => [field.name, "mine"]));
    const found = serverOf(appOf(name), values);
    expect(found?.tokenUrl, name).toBe(server.tokenUrl?.replaceAll(/\{\w+\}/g, "mine"));
    expect(found?.clientAuth, name).toBe(server.clientAuth ?? "post");
  }
  expect(serverOf(appOf("gmail"), {})?.authorizeParams).toEqual({ access_type: "offline", prompt: "consent" });
  expect(serverOf(appOf("nobody"), {})).toBeUndefined();
});

test("what is given with an app comes before what is known", () => {
  const app = { ...appOf("mine"), oauth: { clientId: "c", service: "microsoft", tokenUrl: "https://login.example/t" } };
  const found = serverOf(app, {});
  expect([found?.tokenUrl, found?.authorizeUrl]).toEqual([
    "https://login.example/t",
    "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
  ]);
  expect(serverOf({ ...app, clientSecret: "" }, {})?.clientAuth).toBe("none");
});

test("a value that leads to another host does not fill in an address", () => {
  for (const value of ["evil.example/", "a.b#", "x@evil.example", "..", "a..b", "", "-a", "a b", "a%2f"])
    expect(serverOf(appOf("zendesk"), { subdomain: value }), value).toBeUndefined();
  expect(serverOf(appOf("zendesk"), { subdomain: "acme" })?.tokenUrl).toBe("https://acme.zendesk.com/oauth/tokens");
});
