import { XError, type Json, type Verification } from "@x/model";
import { isRecord, shownValue } from "@x/components";
import { readVerification, shownParameters } from "./verification-input.ts";

/** How a verification is stored in the configuration of a prop: as it is given, with all its secrets. */
const toStored = (verification: Verification): Json => {
  const { scheme, parameters, secrets } = verification;
  const { verifyToken } = parameters ?? {};
  return {
    scheme,
    ...shownParameters(verification),
    ...(verifyToken !== undefined && { verify_token: verifyToken }),
    secret: [...secrets],
  };
};

const known = new WeakMap<object, Verification>();

/** The verification that is stored in the configuration of a prop. */
export function storedVerification(stored: Json | undefined): Verification | undefined {
  if (!isRecord(stored)) return undefined;
  const read = known.get(stored);
  if (read) return read;
  const { secret, ...rest } = stored;
  const open = Array.isArray(secret) && secret.length === 0 ? rest : stored;
  const verification = readVerification({ scheme: "", ...open });
  known.set(stored, verification);
  return verification;
}

/** Reads a verification for the configuration of a prop. Throws `invalid_parameter`. */
export function readVerify(given: Json, stored: Json | undefined): Json {
  if (!isRecord(given))
    throw new XError("invalid_parameter", [
      "verify",
      `an object such as {"scheme": "github", "secret": …}`,
      shownValue(given),
    ]);
  return toStored(
    readVerification({ ...given } as Parameters<typeof readVerification>[0], storedVerification(stored), "verify."),
  );
}
