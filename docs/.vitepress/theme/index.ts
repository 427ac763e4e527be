// The fonts of the system: the site loads none.
export { default } from "vitepress/theme-without-fonts";
