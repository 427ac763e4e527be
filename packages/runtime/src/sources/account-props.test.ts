import { expect, test } from "vitest";

import { withAccounts } from "./account-props.ts";

const shape = {
  name: "Orders",
  props: [
    { name: "mail", type: "app", app: "acme" },
    { name: "url", type: "string" },
  ],
} as Parameters<typeof withAccounts>[0];
const account = { authProvisionId: "apn_1" };

test("an account is given once: by its app, by its prop, or as the value of the prop", () => {
  const wanted = { url: "u", mail: account };
  expect(withAccounts(shape, { url: "u" }, { acme: "apn_1" })).toEqual(wanted);
  expect(withAccounts(shape, { url: "u", mail: null }, { mail: "apn_1" })).toEqual(wanted);
  expect(withAccounts(shape, wanted, { acme: "apn_1" })).toEqual(wanted);
  expect(withAccounts(shape, wanted)).toEqual(wanted);
});

test.each(["work2", { authProvisionId: "apn_2" }, 7, ""])(
  "another value (%j) beside the account is refused, and not replaced in silence",
  (mail) => {
    const message = 'Prop "mail" has an account in accounts, and another value here';
    expect(() => withAccounts(shape, { url: "u", mail }, { acme: "apn_1" })).toThrow(
      expect.objectContaining({ code: "invalid_props", details: { errors: [{ path: "/props/mail", message }] } }),
    );
  },
);

test("an app that the component has not is refused with those that it has", () => {
  expect(() => withAccounts(shape, {}, { acne: "apn_1" })).toThrow(
    "/acne is no app prop, nor the app of one; the apps are acme",
  );
});
