/** The heading under which a change of each kind stands. */
const headings = { major: "### Breaking", minor: "### Added", patch: "### Fixed" };

/** A file of `.changeset` as its largest kind of change and its text. */
export function readChangeset(text) {
  const [, head = "", summary = ""] = /^---\n([^]*?)^---\n([^]*)$/m.exec(text) ?? [];
  const kind = Object.keys(headings).find((each) => new RegExp(`: ${each}$`, "m").test(head));
  if (kind === undefined || summary.trim() === "") throw new Error(`Not a changeset with a kind and a text:\n${text}`);
  return { kind, summary: summary.trim() };
}

const itemOf = ({ summary }) => `- ${summary.replaceAll("\n", "\n  ")}`;

/** The text with the changes of one kind at the end of their section; a missing section becomes the last one. */
function withChanges(text, heading, items) {
  if (items.length === 0) return text;
  const sections = text.split(/^(?=### )/m).map((section) => section.trim());
  const place = sections.findIndex((section) => section.startsWith(`${heading}\n`));
  if (place < 0) sections.push(`${heading}\n\n${items.join("\n")}`);
  else sections[place] += `\n${items.join("\n")}`;
  return sections.filter((section) => section !== "").join("\n\n");
}

const unreleased = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m;

/** Makes a version of what is unreleased and of changesets. */
export function releaseChangelog(changelog, version, changes) {
  const [, waiting] = unreleased.exec(changelog) ?? [];
  if (waiting === undefined) throw new Error("The changelog has no heading ## Unreleased");
  let text = waiting.trim();
  for (const [kind, heading] of Object.entries(headings))
    text = withChanges(text, heading, changes.filter((each) => each.kind === kind).map(itemOf));
  return `${changelog.replace(unreleased, () => `## Unreleased\n\n## ${version}\n\n${text}\n\n`).trimEnd()}\n`;
}

/** What the changelog says of a version, or of what is unreleased; undefined without such a heading. */
export function changesOf(changelog, version) {
  const parts = changelog.split(/^## /m);
  return parts
    .find((part) => part.startsWith(`${version}\n`))
    ?.slice(version.length)
    .trim();
}
