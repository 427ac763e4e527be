/** Entry of the flooding process, which is separate so that its load does not distort the measured times. */
import type { FloodTarget } from "./contract.ts";
import { floods } from "./floods.ts";

process.once("message", ({ name, target }: { name: string; target: FloodTarget }) => {
  const flood = floods.find((each) => each.name === name);
  if (!flood) throw new Error(`There is no flood "${name}"`);
  void flood.start(target).then((stop) => {
    process.once("message", () => void stop().then(() => process.exit(0)));
    process.send?.("started");
  });
});
process.on("disconnect", () => process.exit(1));
