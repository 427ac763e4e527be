import { checkSecretKey, inspectData, type InspectedStore, type XError } from "@x/runtime";
import { errorCatalogue, findErrorRow } from "@x/runtime/errors";

import { hasData } from "../arguments/path.ts";
import { placeName } from "../data/place.ts";
import { sizeText } from "../data/size-text.ts";
import { environment } from "../environment.ts";
import { EnvironmentError, isCodedError, messageOf } from "../errors.ts";
import { loadPostgres } from "../serve/open-store.ts";
import { createCheck, type Finding } from "./finding.ts";

const storeCheck = createCheck("store");
const keyCheck = createCheck("secret key");
const appsCheck = createCheck("apps");

const fixOf = (error: XError): string => findErrorRow(error.code)?.fix ?? errorCatalogue.store_failed.fix;

function failed(check: typeof storeCheck, error: unknown): Finding {
  if (error instanceof EnvironmentError) return check.problem(error.message, "npm install @x/postgres");
  if (!isCodedError(error)) throw error;
  return check.problem(messageOf(error), fixOf(error));
}

async function checkKey({ sealing }: InspectedStore, place: string): Promise<Finding> {
  if (!sealing) return keyCheck.ok("the first start creates it");
  try {
    await checkSecretKey(sealing, place, environment.secretKey);
    return keyCheck.ok(environment.secretKey === undefined ? `in ${place}/x.key` : "in X_SECRET_KEY");
  } catch (error) {
    return failed(keyCheck, error);
  }
}

/** Nothing while every endpoint verifies who sends. */
function checkApps({ unverifiedApps: [app, ...others] }: InspectedStore): Finding[] {
  if (app === undefined) return [];
  const found = `everybody who knows the URL can send events of ${[app, ...others].join(", ")}`;
  return [appsCheck.warning(found, `have requests verified: x apps endpoint ${app} --scheme NAME --secret-file FILE`)];
}

/** What the schema of the tables means for the next start. */
function versionText({ schemaVersion, currentVersion, isInUse }: InspectedStore): string {
  const upgrade =
    schemaVersion < currentVersion ? `; the next start updates it to ${currentVersion}: make a backup first` : "";
  return `schema version ${schemaVersion}${isInUse ? ", in use by a service" : ""}${upgrade}`;
}

/** Whether a start would find its data and the key of its secrets. */
export async function checkDataFile(data: string): Promise<readonly Finding[]> {
  if (!hasData(data)) return [storeCheck.ok("no data yet; the first start creates it")];
  try {
    const found = await inspectData(data);
    const pages = found.isChecked ? "every page is intact" : "pages not checked, which x backup does";
    const text = `${sizeText(found.bytes)}, ${pages}, ${versionText(found)}`;
    return [storeCheck.ok(text), await checkKey(found, data), ...checkApps(found)];
  } catch (error) {
    return [failed(storeCheck, error)];
  }
}

/** The same for a schema of PostgreSQL. `data` may hold the key file. */
export async function checkSchema(url: string, data: string): Promise<readonly Finding[]> {
  const name = placeName({ store: url });
  try {
    const found = await (await loadPostgres()).inspectPostgres({ url });
    const tables = found.hasData ? versionText(found) : "no data yet; the first start creates it";
    const store = storeCheck.ok(`${name}, PostgreSQL ${found.serverVersion}, ${tables}`);
    const apps = checkApps(found);
    if (found.sealing) return [store, await checkKey(found, data), ...apps];
    if (environment.secretKey !== undefined) return [store, keyCheck.ok("in X_SECRET_KEY"), ...apps];
    const advice = "set X_SECRET_KEY for the service (a new key: openssl rand -hex 32)";
    return [store, keyCheck.warning("none is given, and --store needs one", advice), ...apps];
  } catch (error) {
    return [failed(storeCheck, error)];
  }
}
