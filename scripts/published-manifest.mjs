// Hooks of pnpm that complete the manifests of packages while they are packed.
import { execFileSync } from "node:child_process";

/** Address of the repository: `X_REPOSITORY`, or where this clone comes from; undefined when that is no public address. */
function repositoryUrl() {
  const given = process.env["X_REPOSITORY"];
  if (given) return given;
  try {
    const origin = execFileSync("git", ["config", "--get", "remote.origin.url"], { encoding: "utf8" }).trim();
    return /^https:\/\/(?![^/]*@)/.test(origin) ? origin : undefined;
  } catch {
    return undefined;
  }
}

export const hooks = {
  beforePacking(manifest) {
    const url = repositoryUrl();
    const directory = `packages/${manifest.name.replace("@x/", "")}`;
    return url === undefined ? manifest : { ...manifest, repository: { type: "git", url: `git+${url}`, directory } };
  },
};
