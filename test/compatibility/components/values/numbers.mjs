import BigNumber from "bignumber.js";
import { Decimal } from "decimal.js";
import semver from "semver";
import { chunk, groupBy, sumBy } from "lodash-es";
import * as R from "ramda";
import { from, lastValueFrom, map, toArray, mergeMap } from "rxjs";

export default {
  name: "Numbers",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  async run({ body }) {
    const { lines } = body;
    this.$emit({
      total: lines
        .reduce((sum, { price, count }) => sum.plus(new BigNumber(price).times(count)), new BigNumber(0))
        .toFixed(2),
      root: new Decimal(2).sqrt().toString(),
    });
    this.$emit({
      chunks: chunk(
        lines.map(({ sku }) => sku),
        2,
      ),
      groups: Object.keys(groupBy(lines, "tax")),
      count: sumBy(lines, "count"),
    });
    this.$emit(R.pipe(R.filter(R.propEq("7", "tax")), R.map(R.pick(["sku"])), R.sortBy(R.prop("sku")))(lines));
    this.$emit(
      await lastValueFrom(
        from(lines).pipe(
          mergeMap(async ({ count }) => count * 2),
          map((count) => count + 1),
          toArray(),
        ),
      ),
    );
    this.$emit([
      semver.satisfies("1.4.2", "^1.2"),
      semver.inc("1.4.2", "minor"),
      semver.sort(["2.0.0", "1.0.0-beta", "1.0.0"]),
    ]);
  },
};
