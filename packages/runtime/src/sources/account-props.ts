import { isDeepStrictEqual } from "node:util";

import type { AccountsByApp } from "../api/api.ts";
import { fewProblems, summary } from "@x/components";
import { XError, listedNames, type ComponentShape, type Json, type Problem } from "@x/model";

type Values = { readonly [prop: string]: Json };

/** Names in the message of the error. */
const summarized = 3;

/** Throws `invalid_props` if there is a problem. */
function refuse(name: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, summarized).map(({ path, message }) => `${path} ${message}`);
  const others = problems.length - shown.length;
  const text = [...shown, ...(others > 0 ? [`and ${others} more`] : [])].join("; ");
  throw new XError("invalid_props", [name, text], { details: { errors: problems.slice(0, listedNames) } });
}

/** The values with an account for each app prop that `accounts` names, by the prop or by its app. Throws `invalid_props`. */
export function withAccounts(
  { name, props }: Pick<ComponentShape, "name" | "props">,
  values: Values,
  accounts: AccountsByApp = {},
): Values {
  const apps = props.filter(({ type }) => type === "app");
  const known = new Set(apps.flatMap((prop) => [prop.name, prop.app]));
  const unknown = Object.keys(accounts).filter((key) => !known.has(key));
  const has = apps.map(({ app = "" }) => app).join(", ");
  const message = `is no app prop, nor the app of one; ${has === "" ? "there are none" : `the apps are ${has}`}`;
  refuse(
    name,
    unknown.map((key) => ({ path: `/${key}`, message })),
  );
  const chosen = apps.flatMap((prop): [string, Json][] => {
    const key = [prop.name, prop.app ?? ""].find((each) => Object.hasOwn(accounts, each));
    const id = key === undefined ? undefined : accounts[key];
    return id === undefined ? [] : [[prop.name, { authProvisionId: id }]];
  });
  const twice = chosen.filter(([prop, account]) => {
    const value = values[prop] ?? null;
    return value !== null && !isDeepStrictEqual(value, account);
  });
  refuse(
    name,
    twice.map(([prop]) => ({
      path: `/props/${prop}`,
      message: `Prop "${prop}" has an account in accounts, and another value here`,
    })),
  );
  return { ...values, ...Object.fromEntries(chosen) };
}

/** Runs a check of values; when it refuses them, the error has the props without an account too. */
export function withMissingAccounts<T>(check: () => T, { name }: ComponentShape, missing: () => readonly Problem[]): T {
  try {
    return check();
  } catch (error) {
    if (!XError.is(error) || error.code !== "invalid_props") throw error;
    const known = error.details.errors ?? [];
    const errors = [...known, ...missing().filter(({ path }) => !known.some((each) => each.path === path))];
    throw new XError("invalid_props", [name, summary(errors)], { details: { errors: fewProblems(errors) } });
  }
}
