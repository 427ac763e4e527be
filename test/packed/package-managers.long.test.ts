import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import { freePort } from "../free-port.ts";
import { managers, type TestedManager } from "./managers.ts";
import { openShell } from "./shell.ts";
import { packAll } from "./tarballs.ts";
import { startWholeRegistry, type WholeRegistry } from "./whole-registry.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const names = ["types", "runtime", "testing", "inspector", "server", "cli"];

const tarballs = mkdtempSync(join(tmpdir(), "x-tarballs-"));
let registry: WholeRegistry | undefined;

beforeAll(async () => {
  registry = await startWholeRegistry({
    tarballs: await packAll(root, tarballs),
    dependents: names.map((name) => join(root, "packages", name)),
    tools: ["vite", "vitest", "typescript", "@types/node"],
    root,
  });
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  rmSync(tarballs, { recursive: true, force: true });
});

/** The home of a user whose package managers know one registry, with the manager as a program of its `bin`. */
function makeHome({ programs, settings = "" }: TestedManager, url: string): string {
  const home = mkdtempSync(join(tmpdir(), "x-managers-"));
  writeFileSync(join(home, ".npmrc"), `registry=${url}\naudit=false\nfund=false\nupdate-notifier=false\n`);
  const yarn = [`npmRegistryServer: ${url}`, "unsafeHttpWhitelist: [127.0.0.1]", "enableTelemetry: false", settings];
  writeFileSync(join(home, ".yarnrc.yml"), `${yarn.join("\n")}\n`);
  mkdirSync(join(home, "bin"));
  for (const [name, command] of Object.entries(programs)) {
    const file = join(home, "bin", name);
    writeFileSync(file, `#!/bin/sh\nexec ${command} "$@"\n`);
    chmodSync(file, 0o755);
  }
  return home;
}

const uses = `import picomatch from "picomatch";
export default { name: "uses", version: "1", run() { this.$emit(picomatch("a*")("ab")); } };
`;

test.each(managers.map((manager) => [manager.name, manager] as const))(
  "a project of x new is made, installed, tested and run with %s, as x new says",
  async (_name, manager) => {
    const home = makeHome(manager, registry?.url ?? "");
    try {
      await using shell = openShell(home, dirname(process.execPath));
      shell.export("NO_COLOR", "1");
      shell.addPrograms(join(home, "bin"));
      const { output } = await shell.run(`${manager.runsOnce} @x/cli new stars --template timer --ts --json`);
      const [made = ""] = /^\{$[^]*?^\}$/m.exec(output) ?? [];
      const { next } = JSON.parse(made) as { next: string[] };
      expect(next).toEqual(["cd stars", ...(manager.printed ?? manager.commands)]);
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
