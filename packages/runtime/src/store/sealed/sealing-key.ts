import { randomBytes } from "node:crypto";

import type { Sealing } from "../contract.ts";
import { createSeal, type Seal, type SealedPlace } from "./seal.ts";
import { type Secret, secretBytes } from "./secret-key.ts";

const saltBytes = 16;
const checkText = "x";
const checkPlace: SealedPlace = ["check"];

/** The seal that a secret makes with the store's salt; undefined when it is not the store's secret. */
export async function sealWith(secret: Secret, { salt, check }: Sealing): Promise<Seal | undefined> {
  const seal = await sealOf(secret, Buffer.from(salt, "base64"));
  return seal.open(check, checkPlace) === checkText ? seal : undefined;
}

async function sealOf(secret: Secret, salt: Uint8Array): Promise<Seal> {
  return createSeal(await secretBytes(secret, salt), salt);
}

/** A new seal, and what the store remembers of it. */
export async function newSealing(
  secret: Secret,
  about: Pick<Sealing, "key" | "swept">,
): Promise<{ readonly seal: Seal; readonly sealing: Sealing }> {
  const salt = randomBytes(saltBytes);
  const seal = await sealOf(secret, salt);
  return { seal, sealing: { ...about, salt: salt.toString("base64"), check: seal.close(checkText, checkPlace) } };
}
