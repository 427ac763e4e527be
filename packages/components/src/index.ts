export { dataStoreNameRule, isDataStoreName } from "./props/data-store-name.ts";
export { type AuthorSource, type AuthorSources, createAuthorSources } from "./author/author-source.ts";
export { authorStack, explainError } from "./author/explain-error.ts";
export { explainLeft } from "./author/explain-left.ts";
export { fewProblems, maxProps, propsBounds } from "./bounds.ts";
export { cacheBundles } from "./bundle/bundle-cache.ts";
export { bundleInBackground, bundleWithPackages } from "./bundle/bundle-packages.ts";
export { createUrlBundler } from "./bundle/bundle-url.ts";
export { createBuilder } from "./bundle/bundler.ts";
export { readComponentFiles } from "./bundle/component-files.ts";
export { withInlineMaps } from "./bundle/inline-map.ts";
export { inputName } from "./bundle/input-name.ts";
export type { AuthorFile, Instrument, InstrumentedCode } from "./bundle/instrument.ts";
export { type BundlePart, joinBundles } from "./bundle/join-bundles.ts";
export { findBuildsFolder, findRoot } from "./bundle/root-folder.ts";
export { createJobQueue } from "./bundle/job-queue.ts";
export { type Components, createComponents, namesComponent } from "./components.ts";
export type {
  Bundled,
  Bundler,
  CodeInput,
  ComponentLoader,
  ComponentReference,
  ConfiguredProps,
  Describe,
  LoadedWorkflow,
  NoteFiles,
  PackageUse,
  PropsRules,
  ReadVerify,
  SentFiles,
  WorkflowCode,
  WorkflowHead,
  WorkflowLoader,
  WorkflowPart,
} from "./contract.ts";
export { findDeclaredName, namedExports, withoutDefault } from "./description.ts";
export { findBundlerProblem } from "./bundle/check-bundler.ts";
export { createEvaluate } from "./evaluate.ts";
export { createEventCheck, type EventCheck } from "./event-schema/event-check.ts";
export { findFailedPackage } from "./imports/failed-package.ts";
export { type SharedInstall, createSharedInstall, packageUse } from "./imports/package-use.ts";
export { createComponentLoader } from "./load.ts";
export { cacheFolder, userPackagesFolder } from "./packages/cache/cache-folder.ts";
export { createCachingInstaller } from "./packages/caching-installer.ts";
export type { InstallPool, PackageInstaller, PackageOptions, PackageProgress } from "./packages/contract.ts";
export { createInstallPool } from "./packages/install-pool.ts";
export { createInstaller } from "./packages/installer.ts";
export { appPropOf, fixedEventNames, readEventNames } from "./props/app-hook.ts";
export { findAsked } from "./props/asked-prop.ts";
export { seemingKey } from "./props/declared-key.ts";
export { readDynamicProps } from "./props/dynamic-props.ts";
export { keptValues } from "./props/kept-values.ts";
export { type Choices, readOptions } from "./props/options-result.ts";
export { configurableProps, presentProps } from "./props/present.ts";
export { shownEndpointValue, verifyOf, verifySecrets } from "./props/verify-value.ts";
export { propShape } from "./props/prop-shape.ts";
export { type PropTexts, withPropTexts } from "./props/prop-texts.ts";
export { propKind } from "./props/prop-type.ts";
export { propsRules } from "./props/props.ts";
export { type Check, compileCheck, sentence } from "./props/schema-check.ts";
export { parseTimer, timerJson } from "./props/timer-value.ts";
export type {
  PublishInput,
  PublishedComponent,
  Registry,
  RegistryEntry,
  RegistryItem,
  RegistryList,
  RegistryModule,
  RegistryProgress,
} from "./registry/contract.ts";
export { checkRegistry, createRegistry, publishComponent } from "./registry/registry.ts";
export { type FolderWatch, type FolderWatchOptions, watchFolders } from "./registry/watch.ts";
export { summary } from "./shape.ts";
export { isFunction, isRecord, shownValue } from "./shown-value.ts";
export { freeSlug, slug } from "./slug.ts";
export { splitTexts } from "./split-texts.ts";
export { type AccountFields, readAccountFields } from "./declared/account-fields.ts";
