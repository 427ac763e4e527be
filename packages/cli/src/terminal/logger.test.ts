import { expect, onTestFinished, test, vi } from "vitest";

import { createLogger, logLevels } from "./logger.ts";

test("unread lines are dropped beyond a limit, and their number is logged when there is room again", () => {
  const written: string[] = [];
  let waiting = 0;
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(process.stderr, "writableLength", "get").mockImplementation(() => waiting);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const { info } = createLogger(true);
  info("one");
  waiting = 1024 * 1024 + 1;
  info("two");
  info("three");
  waiting = 0;
  info("four");
  expect(written.map((line) => JSON.parse(line) as object)).toMatchObject([
    { message: "one" },
    { level: "warn", dropped: 2 },
    { message: "four" },
  ]);
});

test("records below the level are left out, and below debug nothing is computed for them", () => {
  const written: string[] = [];
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const counts = logLevels.map((level) => {
    const logger = createLogger(true, level);
    logger.debug?.("debug");
    logger.info("info");
    logger.warn("warn");
    logger.error("error");
    return written.splice(0).length;
  });
  expect(counts).toEqual([4, 3, 2, 1, 0]);
  expect(createLogger(false).debug).toBeUndefined();
});
