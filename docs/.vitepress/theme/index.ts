// The fonts of the system: the site loads none.
import theme from "vitepress/theme-without-fonts";

import "./style.css";

export default theme;
