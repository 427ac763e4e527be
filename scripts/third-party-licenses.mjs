import { readdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";

const packageOf = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Folders of the packages whose code is in the output of these builds, each with the base folder of its paths. */
function bundledFolders(builds) {
  const files = builds.flatMap(({ metafile, from }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => resolve(from, path)),
    ),
  );
  return new Set(files.flatMap((file) => packageOf.exec(file)?.[0] ?? []));
}

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).sort();
  if (files.length === 0) throw new Error(`${name}@${version} is bundled, and has no licence text`);
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
