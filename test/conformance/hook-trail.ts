import { component, type Upstream } from "./fixture.ts";

/** Components that report each of their hooks to an upstream, in order. */
export interface HookTrail {
  /** Code whose hooks report `<version>/<hook>` under the tag; the named hooks throw afterwards. */
  component(tag: string, version: number, failing?: { readonly [hook: string]: boolean }): string;
  /** What the hooks of a tag have reported so far. */
  of(tag: string): readonly string[];
}

export function createHookTrail(upstream: Upstream): HookTrail {
  return {
    component(tag, version, failing = {}) {
      const hooks = ["deploy", "activate", "deactivate"].map((name) => {
        const failure = failing[name] ? 'throw new Error("refused by hook");' : "";
        return `async ${name}() { await fetch("${upstream.url}/${tag}/${version}/${name}"); ${failure} }`;
      });
      return component({
        name: `Told ${tag}`,
        props: 'note: { type: "string", optional: true }',
        more: `hooks: { ${hooks.join(", ")} },`,
        run: "this.$emit(this.note)",
      });
    },
    of(tag) {
      const paths = upstream.received.map(({ path }) => path);
      return paths.filter((path) => path.startsWith(`/${tag}/`)).map((path) => path.slice(tag.length + 2));
    },
  };
}
