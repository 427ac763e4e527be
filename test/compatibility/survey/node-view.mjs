/** Runs a generated component in Node and sends what it emits. Its file is the argument. */
import { pathToFileURL } from "node:url";

try {
  const { default: component } = await import(pathToFileURL(process.argv[2]).href);
  let view;
  await component.run.call({ $emit: (event) => void (view = event) });
  process.send({ view }, () => process.exit(0));
} catch (error) {
  process.send({ failure: `${error?.name}: ${error?.message}` }, () => process.exit(1));
}
