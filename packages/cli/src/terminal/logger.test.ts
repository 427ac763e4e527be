import { expect, onTestFinished, test, vi } from "vitest";

import { createLogger } from "./logger.ts";

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
