/** Types for those parts of npm's libraries that are used here; the libraries have none. */

declare module "@npmcli/config" {
  export default class Config {
    constructor(options: {
      npmPath: string;
      definitions: object;
      shorthands: object;
      flatten: object;
      argv: readonly string[];
      cwd: string;
      env: NodeJS.ProcessEnv;
      warn: boolean;
    });
    load(): Promise<unknown>;
    /** Options for the other libraries. */
    readonly flat: { readonly [option: string]: unknown };
  }
}

declare module "@npmcli/config/lib/definitions/index.js" {
  const found: {
    readonly definitions: { readonly registry: { readonly default: string } };
    readonly shorthands: object;
    readonly flatten: object;
  };
  export default found;
}

declare module "@npmcli/arborist" {
  export interface Edge {
    readonly from: Node;
    readonly spec: string;
  }
  export interface Node {
    readonly isRoot: boolean;
    readonly isLink: boolean;
    /** Relative to the root, with forward slashes. */
    readonly location: string;
    readonly packageName: string;
    readonly version: string;
    readonly resolved: string | null;
    readonly edgesIn: ReadonlySet<Edge>;
  }
  export interface Tree extends Node {
    readonly inventory: { values(): Iterable<Node> };
    readonly meta: { commit(): { readonly packages: { readonly [location: string]: unknown } } };
  }
  export default class Arborist {
    constructor(options: { readonly [option: string]: unknown });
    buildIdealTree(options: { readonly update?: { readonly names: readonly string[] } }): Promise<Tree>;
  }
}

declare module "pacote" {
  interface Options {
    readonly [option: string]: unknown;
  }
  export interface Manifest {
    readonly name: string;
    readonly version: string;
    /** Fields from the package's own package.json. */
    readonly dependencies?: object;
    readonly optionalDependencies?: object;
    readonly peerDependencies?: object;
    readonly acceptDependencies?: object;
    readonly os?: unknown;
    readonly cpu?: unknown;
    readonly libc?: unknown;
    /** Added by the registry. */
    readonly dist?: unknown;
  }
  const pacote: {
    manifest(spec: string, options: Options): Promise<Manifest>;
    readonly tarball: {
      /** Verifies what it streams; calls `handle` again for a second try. */
      stream<T>(spec: string, handle: (stream: NodeJS.ReadableStream) => Promise<T>, options: Options): Promise<T>;
    };
  };
  export default pacote;
}
