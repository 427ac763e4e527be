import { HarnessError } from "../harness-error.ts";
import { findExport, type FoundExport } from "./loaded-module.ts";
import { nodeModules } from "./node-modules.ts";
import { findMockedImport, isVitestKnown, vitestModules } from "./vitest-modules.ts";
import { otherVitest } from "./vitest-version.ts";

/** Where objects came from stays as it is. */
const known = new WeakMap<object, FoundExport>();

/** `advice` is what a test can write in place of the object. */
export function importedFile(given: object, advice: string): string {
  if (!isVitestKnown()) throw new HarnessError(otherVitest(advice));
  const found = known.get(given) ?? findExport(vitestModules(), given) ?? findExport(nodeModules(), given);
  if (!found)
    throw new HarnessError(
      `No file that was imported has this object as its default export. The sandbox runs the file, not the object: give the component as it was imported, not a copy of it, or say where its file is: ${advice}.`,
    );
  known.set(given, found);
  const { module, name } = found;
  if (module.isMock)
    throw new HarnessError(
      `This object is what vi.mock put in place of ${module.file}. The sandbox runs the file, not the mock: take the mock away and give routes for what the component asks for, or say that it is the file: ${advice}.`,
    );
  if (name !== "default")
    throw new HarnessError(
      `This object is the export "${name}" of ${module.file}. What runs is the default export of a file: give the component a file of its own.`,
    );
  const mocked = findMockedImport(module.file);
  if (mocked !== undefined)
    throw new HarnessError(
      `${module.file} imports ${mocked}, which this test mocks. The sandbox runs the files, not the mocks: give routes for what the component asks for, or say that it is the file: ${advice}.`,
    );
  return module.file;
}
