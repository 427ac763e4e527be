import type { MarkdownRenderer } from "vitepress";

const isComment = (html: string): boolean => html.trimStart().startsWith("<!--");

/** Shows tags and `{{ }}` in the text of pages as text, as the reader of the file sees them. VitePress takes them for code of Vue. */
export function plainText(md: MarkdownRenderer): void {
  const { escapeHtml } = md.utils;
  const escaped = (text: string): string => escapeHtml(text).replaceAll("{{", "&#123;&#123;");
  md.renderer.rules.text = (tokens, index) => escaped(tokens[index]?.content ?? "");
  for (const rule of ["html_inline", "html_block"])
    md.renderer.rules[rule] = (tokens, index) => {
      const html = tokens[index]?.content ?? "";
      return isComment(html) ? html : escaped(html);
    };
}
