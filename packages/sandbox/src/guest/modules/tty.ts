// No stream of a sandbox is a terminal.
export default { isatty: () => false };
