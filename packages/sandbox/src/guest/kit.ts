import { Blob, blobBytes } from "./blob.ts";
import { defineHandler, DOMException, Event, EventTarget } from "./events.ts";
import { askIntl, monotonicMs } from "./host.ts";
import { askCrypto, askGenerate, askZlib } from "./library.ts";
import { atob, decodeUtf8, encodeUtf8, joinBytes, viewBytes } from "./text.ts";
import { TextDecoder } from "./text-decoder.ts";
import { structuredClone } from "./clone.ts";

/** The functions of the prelude that parts use: their own bundles must not contain copies. */
export const kit = {
  Blob,
  DOMException,
  Event,
  EventTarget,
  TextDecoder,
  askCrypto,
  askGenerate,
  askIntl,
  askZlib,
  atob,
  blobBytes: (blob: Blob): Uint8Array => blobBytes(blob),
  decodeUtf8,
  defineHandler,
  encodeUtf8,
  joinBytes,
  monotonicMs,
  structuredClone,
  viewBytes,
};
export type Kit = typeof kit;
