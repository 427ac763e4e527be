import { readdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";

const packageOf = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Folders of the packages whose code is in the output of these builds, each with the base folder of its paths. */
export function bundledFolders(builds) {
  const files = builds.flatMap(({ metafile, from }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => resolve(from, path)),
    ),
  );
  return new Set(files.flatMap((file) => packageOf.exec(file)?.[0] ?? []));
}

/** Licences whose text other packages of the list have, or that are a name for a public text. */
const declarable = new Set(["Apache-2.0", "CC-BY-3.0", "CC0-1.0", "ISC", "MIT"]);

/** For a package that declares a licence and contains no text of it. */
function declaredLicense({ name, version, license, author }) {
  if (!declarable.has(license)) throw new Error(`${name}@${version} is bundled, and has no licence text`);
  const by = typeof author === "string" ? author : (author?.name ?? "its authors");
  return `Copyright ${by}. Its package.json declares ${license} (https://spdx.org/licenses/${license}.html).`;
}

async function licenseOf(folder) {
  const manifest = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
  const { name, version, license } = manifest;
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).sort();
  if (files.length === 0)
    return { name, version, text: `${name} ${version} (${license})\n\n${declaredLicense(manifest)}\n` };
  const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, "utf8")));
  return {
    name,
    version,
    text: `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join("\n\n")}\n`,
  };
}

/** The licence texts of all packages whose code the builds contain. */
export async function thirdPartyLicenses(builds) {
  const licenses = await Promise.all([...bundledFolders(builds)].map(licenseOf));
  const byName = new Map(licenses.map(({ name, version, text }) => [`${name} ${version}`, text]));
  const texts = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return ["The files of this folder contain code of these packages.\n", ...texts].join(`\n${"-".repeat(80)}\n\n`);
}
