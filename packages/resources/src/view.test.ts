import { expect, test } from "vitest";

import { record, seconds, secondsOrNull, text, textOrNull } from "./shapes.ts";
import { viewBy } from "./view.ts";

interface Ticket {
  readonly id: string;
  readonly seat_row: string | null;
  readonly price_text?: string;
  readonly sold_at: number;
  readonly used_at: number | null;
  readonly holder: { readonly name: string };
}

const schema = record(
  {
    id: text(""),
    seat_row: textOrNull(""),
    price_text: text(""),
    sold_at: seconds,
    used_at: secondsOrNull(""),
    holder: record({ name: text("") }),
  },
  ["price_text"],
);
const viewTicket = viewBy<Ticket, "holder">(schema);
const holder = { name: "Ada" };

test("a resource has the members of its schema in the names of REST, and times in seconds", () => {
  const given = { id: "t1", seatRow: "F", priceText: "12", soldAt: 1_999, usedAt: 3_000, userId: "u_1", holder: "Ada" };
  expect(viewTicket(given, { holder })).toEqual({
    id: "t1",
    seat_row: "F",
    price_text: "12",
    sold_at: 1,
    used_at: 3,
    holder,
  });
});

test("what the runtime does not have is null, or absent where the schema does not require it", () => {
  const made = viewTicket({ id: "t1", soldAt: 0, usedAt: null, priceText: undefined }, { holder });
  expect(Object.entries(made)).toEqual([
    ["id", "t1"],
    ["seat_row", null],
    ["sold_at", 0],
    ["used_at", null],
    ["holder", holder],
  ]);
});

test("a view without members of its own is a callback of map", () => {
  const viewName = viewBy<{ readonly name: string }>(record({ name: text("") }));
  expect([{ name: "a" }, { name: "b" }].map(viewName)).toEqual([{ name: "a" }, { name: "b" }]);
});

test("the compiler finds what the runtime does not have", () => {
  // @ts-expect-error soldAt is missing.
  expect(viewTicket({ id: "t1" }, { holder })).toHaveProperty("sold_at");
});
