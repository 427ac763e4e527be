import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import { freePort } from "../free-port.ts";
import { type LoopbackRelease, releaseOnLoopback } from "./loopback-release.ts";
import { makeHome, managers } from "./managers.ts";
import { nodeFolders } from "./nodes.ts";
import { openShell } from "./shell.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

let release: LoopbackRelease | undefined;

beforeAll(async () => {
  release = await releaseOnLoopback(root);
});
afterAll(() => release?.[Symbol.asyncDispose]());

const uses = `import picomatch from "picomatch";
export default { name: "uses", version: "1", run() { this.$emit(picomatch("a*")("ab")); } };
`;

const cases = nodeFolders.flatMap((nodeFolder) =>
  managers.map((manager) => ({ name: manager.name, manager, nodeFolder })),
);

test.each(cases)(
  "a project is made, installed, tested and run with $name, as the creation says, on Node of $nodeFolder",
  async ({ manager, nodeFolder }) => {
    const home = makeHome(manager, release?.url ?? "");
    try {
      await using shell = openShell(home, nodeFolder);
      shell.export("NO_COLOR", "1");
      shell.addPrograms(join(home, "bin"));
      const { output } = await shell.run(
        `${manager.creates} stars ${manager.dashes ?? ""}--template timer --ts --json`,
      );
      const [made = ""] = /^\{$[^]*?^\}$/m.exec(output) ?? [];
      const { next } = JSON.parse(made) as { next: string[] };
      expect(next).toEqual(["cd stars", ...manager.commands]);
      shell.cd("stars");
      // Yarn looks for a project above.
      if (manager.lockFile !== undefined) writeFileSync(join(home, "stars", manager.lockFile), "");
      const [install = "", run = "", dev = ""] = manager.commands;
      await shell.run(install);
      expect((await shell.run(run)).output).toMatch(/Tests {2}1 passed \(1\)$/m);
      const x = dev.slice(0, dev.indexOf(" dev "));
      expect((await shell.run(`${x} run stars.ts --times 2`)).output).toMatch(/^ {2}event {2}Run 2 {2}\{"count":2,/m);
      // A package that the project does not install itself.
      writeFileSync(join(home, "stars/uses.js"), uses);
      const service = shell.start(`${x} serve uses.js --port 0 --data .x/service`);
      await service.printed(/^Source uses /m);
      await service.stop();
      const doctor = await shell.run(`${x} doctor --offline --port ${await freePort()}`);
      expect(doctor.output).toMatch(/^ok {7}bundler +esbuild runs$/m);
      expect(doctor.output).toMatch(manager.packages);
      const developing = shell.start(`${dev} --port 0`);
      await developing.printed(/next tick/);
      await developing.stop();
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);
