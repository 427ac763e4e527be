import type { AccountsByApp } from "../api/api.ts";
import { XError } from "../model/errors.ts";
import type { ComponentShape, Json } from "../model/model.ts";

type Values = { readonly [prop: string]: Json };

/** The values with an account for each app prop that `accounts` names, by the prop or by its app. Throws `invalid_props`. */
export function withAccounts(
  { name, props }: Pick<ComponentShape, "name" | "props">,
  values: Values,
  accounts: AccountsByApp = {},
): Values {
  const apps = props.filter(({ type }) => type === "app");
  const unknown = Object.keys(accounts).filter((key) => !apps.some((prop) => prop.name === key || prop.app === key));
  if (unknown.length > 0) {
    const has = apps.map(({ app = "" }) => app).join(", ");
    const errors = unknown.map((key) => ({
      path: `/${key}`,
      message: `is no app prop, nor the app of one; ${has === "" ? "there are none" : `the apps are ${has}`}`,
    }));
    throw new XError("invalid_props", [name, errors.map(({ path, message }) => `${path} ${message}`).join("; ")], {
      details: { errors },
    });
  }
  const chosen = apps.flatMap((prop): [string, Json][] => {
    const key = [prop.name, prop.app ?? ""].find((each) => Object.hasOwn(accounts, each));
    const id = key === undefined ? undefined : accounts[key];
    return id === undefined ? [] : [[prop.name, { authProvisionId: id }]];
  });
  return { ...values, ...Object.fromEntries(chosen) };
}
