import { randomFillSync } from "node:crypto";
import { performance } from "node:perf_hooks";

import { hasLongHost } from "@x/model";
import { parseGuestJson, parseGuestText } from "./guest-json.ts";
import { answerIntl } from "./intl-ops.ts";
import { answerCrypto, answerGenerate, answerZlib } from "../libraries/libraries.ts";
import { hostOp } from "../ops.ts";

const randomLimit = 65_536;
const urlParts = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

function urlJson(url: URL): string {
  const parts: Record<string, string> = {};
  for (const part of urlParts) parts[part] = url[part];
  return JSON.stringify(parts);
}

/** Takes `[url]`, `[url, base]`, or `[href, part, value]` to assign one part. Undefined: not a URL. */
function parseUrl(given: readonly unknown[]): string | undefined {
  const [url = "", second, value] = given.map(String);
  try {
    const assigned = value !== undefined && second?.startsWith("host") ? `http://${value}` : "";
    if ([url, second ?? "", assigned].some(hasLongHost)) return undefined;
    if (value === undefined) return urlJson(second === undefined ? new URL(url) : new URL(url, second));
    const parsed = new URL(url);
    const part = urlParts.find((name) => name === second && name !== "origin" && name !== "href");
    if (part) Object.assign(parsed, { [part]: value });
    return urlJson(parsed);
  } catch {
    return undefined;
  }
}

/** The text after an equals sign, or as JSON if it has a NUL, at which the engine would end it. */
function decodeText(args: readonly [string, boolean, boolean], bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(args[0], { fatal: args[1], ignoreBOM: args[2] }).decode(bytes);
    return text.includes("\0") ? JSON.stringify(text) : `=${text}`;
  } catch {
    return undefined;
  }
}

function encodingName(label: string): string | undefined {
  try {
    return JSON.stringify(new TextDecoder(label).encoding);
  } catch {
    return undefined;
  }
}

/** Host functions without effects. They are available in every call and while a module is evaluated. */
export function answerPure(op: number, text: string, bytes: Uint8Array | undefined): string | Uint8Array | undefined {
  switch (op) {
    case hostOp.random: {
      const count = Number(text);
      return count >= 0 && count <= randomLimit ? randomFillSync(new Uint8Array(count)) : new Uint8Array(0);
    }
    case hostOp.urlParse:
      return parseUrl(parseGuestJson(text, 3) as unknown[]);
    case hostOp.utf8Encode:
      return new TextEncoder().encode(parseGuestText(text));
    case hostOp.utf8Decode:
      return decodeText(parseGuestJson(text, 3) as [string, boolean, boolean], bytes ?? new Uint8Array(0));
    case hostOp.encodingName:
      return encodingName(parseGuestText(text));
    case hostOp.intl:
      return answerIntl(text);
    case hostOp.monotonic:
      return String(performance.now());
    case hostOp.crypto:
      return answerCrypto(text, bytes);
    case hostOp.generate:
      return answerGenerate(text, bytes);
    case hostOp.zlib:
      return answerZlib(text, bytes);
    default:
      return undefined;
  }
}
