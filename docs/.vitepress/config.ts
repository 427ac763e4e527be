import { fileURLToPath } from "node:url";

import { defineConfig } from "vitepress";

import { navigation } from "./navigation.ts";
import { outsideLinks } from "./outside-links.ts";
import { plainText } from "./plain-text.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const repository = process.env["X_REPOSITORY"]?.replace(/(?:\.git)?\/*$/, "");

export default defineConfig({
  title: "x",
  description: "Write event-source components, and run them",
  lang: "en",
  vite: {
    // The esbuild of the workspace no longer changes code for the older browsers that are VitePress's default.
    optimizeDeps: { esbuildOptions: { target: "es2022" } },
    // The index of the search is large, and loaded at the first search.
    build: { target: "es2022", chunkSizeWarningLimit: 4_000 },
  },
  outDir: "../site",
  cacheDir: "../node_modules/.cache/vitepress",
  // The list of pages for readers of the repository; the site has its navigation.
  srcExclude: ["README.md"],
  rewrites: { "decisions/README.md": "decisions/index.md" },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(md) {
      plainText(md);
      outsideLinks(md, { root, repository });
    },
  },
  themeConfig: {
    ...navigation,
    search: { provider: "local" },
    outline: [2, 3],
    ...(repository !== undefined && { editLink: { pattern: `${repository}/edit/HEAD/docs/:path` } }),
  },
});
