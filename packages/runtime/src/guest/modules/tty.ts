export default { isatty: () => false };
