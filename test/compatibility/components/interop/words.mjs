import list from "lodash.sortby";

export default (words) => list(words);
