import {
  build as esbuild,
  type BuildContext,
  type BuildOptions,
  type BuildResult,
  context,
  type OnLoadArgs,
  type OnLoadOptions,
  type OnLoadResult,
  type OnResolveArgs,
  type OnResolveOptions,
  type OnResolveResult,
  type Plugin,
  type PluginBuild,
} from "esbuild";

type Options = BuildOptions & { readonly write: false };
type Result = BuildResult<{ write: false }>;

/** Builds in sequence. Does not parse a module again whose name and text are unchanged since an earlier build. */
export interface ParsedModules {
  build(options: Options): Promise<Result>;
  /** Forgets all modules, unless a build runs. */
  forget(): Promise<void>;
}

/** Cache size in characters of parsed modules; esbuild uses about thirty bytes per character. */
const cachedChars = 3 * 1024 * 1024;

interface Hook<Asked, Given> {
  readonly filter: RegExp;
  readonly namespace: string | undefined;
  answer(asked: Asked): Given | null | undefined | Promise<Given | null | undefined>;
}

/** The hooks of the plugins of one build. */
interface Hooks {
  readonly resolve: readonly Hook<OnResolveArgs, OnResolveResult>[];
  readonly load: readonly Hook<OnLoadArgs, OnLoadResult>[];
}

async function hooksOf(plugins: readonly Plugin[], build: PluginBuild): Promise<Hooks> {
  const resolve: Hook<OnResolveArgs, OnResolveResult>[] = [];
  const load: Hook<OnLoadArgs, OnLoadResult>[] = [];
  const noted: PluginBuild = {
    ...build,
    onResolve: ({ filter, namespace }: OnResolveOptions, answer) => void resolve.push({ filter, namespace, answer }),
    onLoad: ({ filter, namespace }: OnLoadOptions, answer) => void load.push({ filter, namespace, answer }),
  };
  for (const plugin of plugins) await plugin.setup(noted);
  return { resolve, load };
}

/** Calls hooks in order until one answers, as esbuild does. */
async function ask<Asked extends { readonly path: string; readonly namespace: string }, Given>(
  hooks: readonly Hook<Asked, Given>[],
  asked: Asked,
): Promise<Given | undefined> {
  for (const { filter, namespace, answer } of hooks) {
    if ((namespace !== undefined && namespace !== asked.namespace) || !filter.test(asked.path)) continue;
    const given = await answer(asked);
    if (given) return given;
  }
  return undefined;
}

/** The builds that one context of esbuild runs, each with plugins of its own. */
interface Series {
  /** The options of all its builds, plugins apart. */
  readonly id: string;
  readonly chars: number;
  run(plugins: readonly Plugin[]): Promise<Result>;
  end(): Promise<void>;
}

async function startSeries(id: string, options: Options): Promise<Series> {
  const lengths = new Map<string, number>();
  let own: PluginBuild | undefined;
  let hooks: Hooks = { resolve: [], load: [] };
  const forwarding: Plugin = {
    name: "forwarding",
    setup(build) {
      own = build;
      build.onResolve({ filter: /.*/ }, (asked) => ask(hooks.resolve, asked));
      build.onLoad({ filter: /.*/ }, async (asked) => {
        const loaded = await ask(hooks.load, asked);
        lengths.set(`${asked.namespace}:${asked.path}`, loaded?.contents?.length ?? 0);
        return loaded;
      });
    },
  };
  const builds: BuildContext<{ write: false }> = await context({ ...options, plugins: [forwarding] });
  return {
    id,
    get chars() {
      return [...lengths.values()].reduce((sum, length) => sum + length, 0);
    },
    async run(plugins) {
      if (own) hooks = await hooksOf(plugins, own);
      try {
        return await builds.rebuild();
      } finally {
        // The hooks hold the files of the build.
        hooks = { resolve: [], load: [] };
      }
    },
    end: () => builds.dispose(),
  };
}

export function createParsedModules(): ParsedModules {
  let series: Series | undefined;
  let isBusy = false;

  async function seriesOf(options: Options): Promise<Series> {
    const id = JSON.stringify(options);
    if (series?.id === id) return series;
    await series?.end();
    series = await startSeries(id, options);
    return series;
  }

  async function forget(): Promise<void> {
    await series?.end();
    series = undefined;
  }

  return {
    async forget() {
      if (isBusy) return;
      isBusy = true;
      await forget().finally(() => (isBusy = false));
    },
    async build({ plugins = [], ...options }) {
      // A context runs one build at a time.
      if (isBusy) return esbuild({ ...options, plugins });
      isBusy = true;
      try {
        return await (await seriesOf(options)).run(plugins);
      } finally {
        if ((series?.chars ?? 0) > cachedChars) await forget();
        isBusy = false;
      }
    },
  };
}
