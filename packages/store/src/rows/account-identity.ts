import type { Account, AccountIdentity, IdentityField } from "@x/model";

const maxFields = 64;
const longestValue = 200;
const printable = /^[^\p{Cc}]+$/u;

/** The fields of `$auth` that events can be addressed to: short texts and numbers. */
export function identityFieldsOf(auth: object): IdentityField[] {
  const fields = Object.entries(auth).flatMap(([name, value]): IdentityField[] => {
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    const isShort = name.length <= longestValue && text.length <= longestValue;
    return isShort && printable.test(text) && printable.test(name) ? [[name, text]] : [];
  });
  return fields.slice(0, maxFields);
}

/** What a stored account is addressed by. */
export const identityOf = ({ id, userId, app, auth }: Account): AccountIdentity => ({
  accountId: id,
  userId,
  app,
  fields: identityFieldsOf(Object(auth) as object),
});
