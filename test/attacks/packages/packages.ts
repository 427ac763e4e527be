import type { OddEntry } from "../../../packages/components/src/packages/tarball.cases.ts";
import type { Attack } from "../attack.ts";

/** A package in the registry. Nothing may be written to the folder `FOLDER`, and the file `CANARY` must not be read. */
export interface HostilePackage extends Attack {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, string>>;
  readonly odd: readonly OddEntry[];
  /** The archive differs from the one that the registry lists. */
  readonly tampered: boolean;
}

type Ways = Partial<Pick<HostilePackage, "manifest" | "files" | "odd" | "tampered">>;
const up = "../".repeat(12);
const touch = `node -e "require('fs').writeFileSync('FOLDER/ran', '')"`;
const scripts = ["preinstall", "install", "postinstall", "prepare", "prepublish", "preuninstall"];

const rows: readonly (readonly [id: string, ways: Ways])[] = [
  ...scripts.map((name): [string, Ways] => [`script-${name}`, { manifest: { scripts: { [name]: touch } } }]),
  ["binding-gyp", { files: { "binding.gyp": "{}", "index.js": "module.exports = 1" }, manifest: { gypfile: true } }],
  ["native-addon", { files: { "index.js": `module.exports = require("./x.node")`, "x.node": "\x7fELF" } }],
  ["bin-outside", { manifest: { bin: { "../../ran": "index.js", "/FOLDER/ran": "index.js" } } }],
  ["directories-bin", { manifest: { directories: { bin: `${up}FOLDER` } } }],
  ["man-outside", { manifest: { man: ["FOLDER/ran.1"] } }],
  [
    "bundled",
    {
      manifest: { bundleDependencies: ["evil"], dependencies: { evil: "1" } },
      files: {
        "index.js": "module.exports = 1",
        "node_modules/evil/package.json": JSON.stringify({
          name: "evil",
          version: "1.0.0",
          scripts: { install: touch },
        }),
      },
    },
  ],
  ["path-upwards", { odd: [{ path: `package/${up}FOLDER/ran`, text: "1" }] }],
  ["path-absolute", { odd: [{ path: "FOLDER/ran", text: "1" }] }],
  [
    "path-windows",
    {
      odd: [
        { path: "package/..\\..\\..\\ran", text: "1" },
        { path: "C:\\ran", text: "1" },
      ],
    },
  ],
  ["path-no-prefix", { odd: [{ path: "../ran", text: "1" }] }],
  [
    "link-file",
    {
      odd: [{ path: "package/index.json", type: "2", link: "CANARY" }],
      files: { "index.js": `module.exports = require("./index.json")` },
    },
  ],
  [
    "link-hard",
    {
      odd: [{ path: "package/index.json", type: "1", link: "CANARY" }],
      files: { "index.js": `module.exports = require("./index.json")` },
    },
  ],
  [
    "link-folder",
    {
      odd: [
        { path: "package/out", type: "2", link: "FOLDER" },
        { path: "package/out/ran", text: "1" },
      ],
    },
  ],
  ["link-self", { odd: [{ path: "package/a", type: "2", link: "a" }] }],
  [
    "link-root",
    {
      odd: [
        { path: "package/a", type: "2", link: "/" },
        { path: `package/a/FOLDER/ran`, text: "1" },
      ],
    },
  ],
  [
    "replaces-manifest",
    { odd: [{ path: "package/package.json", text: `{"name":"other","version":"9.9.9","main":"CANARY"}` }] },
  ],
  ["main-outside", { manifest: { main: `${up}CANARY` } }],
  ["main-absolute", { manifest: { main: "CANARY" } }],
  ["exports-outside", { manifest: { exports: { ".": `./${up}CANARY` } } }],
  ["browser-outside", { manifest: { browser: { "./index.js": "CANARY" } } }],
  [
    "imports-outside",
    { manifest: { imports: { "#a": `./${up}CANARY` } }, files: { "index.js": `module.exports = require("#a")` } },
  ],
  ["requires-canary", { files: { "index.js": `module.exports = require("CANARY")` } }],
  ["requires-host", { files: { "index.js": `module.exports = Object.keys(require("x:host"))` } }],
  ["dependency-address", { manifest: { dependencies: { evil: "http://127.0.0.1:1/evil.tgz" } } }],
  ["dependency-repository", { manifest: { dependencies: { evil: "git+ssh://127.0.0.1/evil.git" } } }],
  ["dependency-folder", { manifest: { dependencies: { evil: "file:CANARY" } } }],
  ["dependency-alias", { manifest: { dependencies: { evil: "npm:../../evil" } } }],
  ["dependency-name", { manifest: { dependencies: { "../../ran": "1.0.0", "@/x": "1", __proto__: "1" } } }],
  ["overrides", { manifest: { overrides: { "*": "file:CANARY" } } }],
  ["workspaces", { manifest: { workspaces: ["FOLDER/*"] } }],
  ["engines", { manifest: { engines: { node: ">".repeat(50_000) } } }],
  ["range", { manifest: { dependencies: { evil: `${"1 || ".repeat(20_000)}1` } } }],
  ["huge-manifest", { manifest: { description: "x".repeat(3_000_000) } }],
  [
    "many-dependencies",
    { manifest: { dependencies: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`none-${n}`, "1"])) } },
  ],
  ["tampered", { tampered: true }],
  ["bomb", { files: { "index.js": `module.exports = ${JSON.stringify("x".repeat(30_000_000))}` } }],
  ["many-files", { files: Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`f${n}.js`, ""])) }],
  ["endless-evaluation", { files: { "index.js": "for (;;);" } }],
  ["pollutes", { files: { "index.js": `Object.prototype.polluted = 1; module.exports = 1` } }],
];

export const hostilePackages: readonly HostilePackage[] = rows.map(([id, ways]) => ({
  id: `package-${id}`,
  class: "packages",
  promise: "packages-inert",
  manifest: {},
  files: { "index.js": "module.exports = 1" },
  odd: [],
  tampered: false,
  ...ways,
}));
