import type { Page } from "playwright-core";

/**
 * Runs in the page. Each control and each text is looked at by its box: as far as something around it cuts it off, and whether
 * something else is drawn over it. What scrolls sideways, and what ends with an ellipsis, may be cut off.
 */
const look = `(() => {
  const shown = document.querySelector("dialog:modal") ?? document.body;
  const drawn = ".cm-editor, .plot, svg, .unseen";
  const upAndDown = "html, main, dialog, .page-body, .detail";
  const controls = "a[href], button, input, select, textarea, summary";
  const named = (element) =>
    element.tagName.toLowerCase() + [...element.classList].map((name) => "." + name).join("") + " " +
    JSON.stringify((element.ariaLabel ?? element.textContent ?? "").trim().slice(0, 40));
  const isText = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");

  function boxOf(element) {
    if (element.matches(controls)) return element.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  }

  /** What the elements around an element leave of its box, and the first of them that cuts it off. */
  function visibleBox(element) {
    let { left, right, top, bottom } = boxOf(element);
    let cutBy;
    for (let around = element; around; around = around.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(around);
      if (overflowX === "visible" && around !== document.documentElement) continue;
      const outer = around === document.documentElement
        ? { left: 0, right: innerWidth, top: 0, bottom: innerHeight }
        : around.getBoundingClientRect();
      const scrolls = overflowX === "auto" && !around.matches(upAndDown);
      const isCut = left < outer.left - 1 || right > outer.right + 1;
      if (isCut && !scrolls && textOverflow !== "ellipsis") cutBy ??= around;
      [left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
      [top, bottom] = [Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
    }
    return { left, right, top, bottom, cutBy };
  }

  const found = [];
  for (const element of shown.querySelectorAll("*")) {
    if (element.closest(drawn) || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (!element.matches(controls) && !isText(element)) continue;
    const { left, right, top, bottom, cutBy } = visibleBox(element);
    if (cutBy) found.push(named(element) + " is cut off by " + named(cutBy));
    if (right - left < 6 || bottom - top < 6 || getComputedStyle(element).pointerEvents === "none") continue;
    const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
    const over = [[middleX, middleY], [left + 3, middleY], [right - 3, middleY], [middleX, top + 3], [middleX, bottom - 3]]
      .map(([x, y]) => document.elementFromPoint(x, y))
      .find((hit) => hit && !element.contains(hit) && !hit.contains(element));
    if (over) found.push(named(element) + " is below " + named(over));
  }
  return found;
})()`;

/** Higher than what a page shows, so that all of it is looked at. */
const height = 4_000;

/** Controls and texts of a page that are cut off, or that something else is drawn over. */
export async function findMisplaced(page: Page): Promise<string[]> {
  const { width } = page.viewportSize() ?? { width: 1280 };
  await page.setViewportSize({ width, height });
  return page.evaluate<string[]>(look);
}
