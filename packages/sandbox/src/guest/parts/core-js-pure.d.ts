declare module "core-js-pure/actual/*" {
  const value: unknown;
  export default value;
}
