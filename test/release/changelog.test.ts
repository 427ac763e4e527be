import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Change {
  readonly kind: string;
  readonly summary: string;
}
interface Changelog {
  readChangeset(text: string): Change;
  releaseChangelog(changelog: string, version: string, changes: readonly Change[]): string;
  changesOf(changelog: string, version: string): string | undefined;
}
const { readChangeset, releaseChangelog, changesOf } = (await import(
  new URL("../../scripts/changelog.mjs", import.meta.url).href
)) as Changelog;

const before = "# Changelog\n\n## Unreleased\n\n### Added\n\n- One.\n\n### Fixed\n\n- Two.\n\n## 0.1.0\n\nFirst.\n";

test("a version gets what is unreleased, and each change in its section", () => {
  const changes = [
    { kind: "minor", summary: "Three, in\ntwo lines." },
    { kind: "major", summary: "Four costs $& nothing." },
  ];
  const after = releaseChangelog(before, "1.0.0", changes);
  expect(after).toBe(
    "# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n### Added\n\n- One.\n- Three, in\n  two lines.\n\n### Fixed\n\n- Two.\n\n" +
      "### Breaking\n\n- Four costs $& nothing.\n\n## 0.1.0\n\nFirst.\n",
  );
  expect([changesOf(after, "0.1.0"), changesOf(after, "0.9.0")]).toEqual(["First.", undefined]);
  expect(releaseChangelog(after, "1.0.1", [{ kind: "patch", summary: "Five." }])).toContain(
    "## Unreleased\n\n## 1.0.1\n\n### Fixed\n\n- Five.\n\n## 1.0.0\n",
  );
});

test("a changeset has a kind and a text", () => {
  expect(readChangeset('---\n"@x/cli": patch\n"@x/runtime": minor\n---\n\nText.\n')).toEqual({
    kind: "minor",
    summary: "Text.",
  });
  for (const text of ["Text.", "---\n---\n\nText.", '---\n"@x/cli": patch\n---\n'])
    expect(() => readChangeset(text)).toThrow("Not a changeset");
});

test("npm run release:version gives every package, the code and the changelog the next version", () => {
  const copy = mkdtempSync(join(tmpdir(), "x-version-"));
  try {
    const files = [
      "{packages,examples}/*/package.json",
      "{test,bench,.}/package.json",
      ".changeset/*",
      "scripts/*.mjs",
    ];
    const others = ["CHANGELOG.md", "pnpm-workspace.yaml", "packages/model/src/version.ts"];
    for (const path of [...files.flatMap((pattern) => globSync(pattern, { cwd: root })), ...others]) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(root, path), join(copy, path));
    }
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    writeFileSync(join(copy, ".changeset/a-change.md"), '---\n"@x/types": minor\n---\n\nA change of types.\n');
    execFileSync(process.execPath, [join(copy, "scripts/version.mjs")], { cwd: copy, stdio: "pipe" });
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const [major, minor] = version.split(".").map(Number);
    const next = `${major}.${(minor ?? 0) + 1}.0`;
    const manifests = globSync("packages/*/package.json", { cwd: copy });
    const versions = [...manifests, "package.json"].map(
      (path) => (JSON.parse(readFileSync(join(copy, path), "utf8")) as { version: string }).version,
    );
    expect(manifests.length).toBeGreaterThan(10);
    expect(new Set(versions)).toEqual(new Set([next]));
    expect(readFileSync(join(copy, "packages/model/src/version.ts"), "utf8")).toContain(`"${next}"`);
    expect(changesOf(readFileSync(join(copy, "CHANGELOG.md"), "utf8"), next)).toContain("\n- A change of types.");
    expect(globSync(".changeset/*.md", { cwd: copy })).toEqual([".changeset/README.md"]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
