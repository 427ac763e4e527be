import { isRange } from "../../packages/version-range.ts";

/** What a package.json asks of a package. */
export interface DeclaredVersion {
  /** Version, range or tag for a registry, with `npm:name@` where the package has another name there; absent: no registry has it. */
  readonly spec?: string;
  /** An installed package serves whatever its version is. */
  readonly takesInstalled: boolean;
}

const alias = /^npm:((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@(.+))?$/i;
const tag = /^[a-z_][\w.-]*$/i;

/** As npm reads it, but for `workspace:`, which stands for what would be published. */
export function readDeclaredVersion(written: string): DeclaredVersion {
  const text = written.trim();
  if (text.startsWith("workspace:")) return { ...ofWorkspace(text.slice("workspace:".length)), takesInstalled: true };
  const [, name, wanted = "latest"] = alias.exec(text) ?? [];
  if (name !== undefined) {
    if (isRange(wanted)) return { spec: `npm:${name}@${wanted}`, takesInstalled: false };
    return tag.test(wanted) ? { spec: `npm:${name}@${wanted}`, takesInstalled: true } : { takesInstalled: true };
  }
  if (text === "") return { spec: "*", takesInstalled: false };
  if (isRange(text)) return { spec: text, takesInstalled: false };
  return tag.test(text) ? { spec: text, takesInstalled: true } : { takesInstalled: true };
}

function ofWorkspace(text: string): { readonly spec?: string } {
  if (["", "*", "^", "~"].includes(text)) return { spec: "latest" };
  return isRange(text) ? { spec: text } : {};
}
