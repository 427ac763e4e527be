import { bundleFuzzer } from "./bundle.fuzz.ts";
import { cronFuzzer } from "./cron.fuzz.ts";
import type { Fuzzer } from "./fuzzer.ts";
import { httpFuzzer } from "./http.fuzz.ts";
import { multipartFuzzer } from "./multipart.fuzz.ts";
import { restFuzzer } from "./rest.fuzz.ts";
import { scheduleFuzzer } from "./schedule.fuzz.ts";
import { sseFuzzer } from "./sse.fuzz.ts";
import { storeKillFuzzer } from "./store-kill.fuzz.ts";
import { storePostgresFuzzer } from "./store-postgres.fuzz.ts";
import { storeFuzzer } from "./store.fuzz.ts";
import { wallFuzzer } from "./wall.fuzz.ts";

/** All fuzzers. */
export const fuzzers: readonly Fuzzer[] = [
  restFuzzer,
  storeFuzzer,
  storeKillFuzzer,
  storePostgresFuzzer,
  cronFuzzer,
  scheduleFuzzer,
  wallFuzzer,
  httpFuzzer,
  multipartFuzzer,
  sseFuzzer,
  bundleFuzzer,
];
