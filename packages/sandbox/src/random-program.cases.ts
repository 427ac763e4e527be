import { runBody } from "./sandbox.cases.ts";

/** A random program that writes to memory in many ways; the same for the same seed. */
export function randomProgram(seed: number): string {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const views = ["Int8Array", "Uint16Array", "Float32Array", "Float64Array", "Uint8ClampedArray"];
  const steps: readonly (() => string)[] = [
    () => `keep.push("${"x".repeat(below(9))}" + keep.length)`,
    () => `keep.push("é".repeat(${below(3000)}))`,
    () => `keep.splice(${below(40)}, ${below(20)})`,
    () => `keep.push(Object.fromEntries(Array.from({ length: ${below(60)} }, (_, i) => ["k" + i * ${below(9)}, i])))`,
    () => `keep.push(new ${views[below(views.length)]}(${below(2000)}).fill(keep.length))`,
    () => `new DataView(buffer).setFloat64(${below(4088)}, ${below(1e6)} / 7)`,
    () => `new DataView(buffer).setBigUint64(${below(4088)}, ${below(1e6)}n * 7919n, true)`,
    () => `new Uint8Array(buffer).copyWithin(${below(4096)}, ${below(4096)}, ${below(4096)})`,
    () => `new Uint8Array(buffer).set(new Uint8Array(${below(300)}).fill(${below(256)}), ${below(3700)})`,
    () => `keep.push(buffer.slice(${below(4096)}))`,
    () =>
      `keep.push(JSON.parse(JSON.stringify(keep.slice(-${below(20)}), (_, v) => (typeof v === "bigint" || v === keep ? 1 : v)) ?? "1"))`,
    () => `keep.push(/(a+)(b*)(?<n>c)?/u.exec("a".repeat(${below(200)}) + "bc"))`,
    () => `keep.push(new Map(keep.map((v, i) => [i % ${below(30) + 1}, v])), new Set(keep), new WeakMap([[keep, 1]]))`,
    () => `keep.sort(() => ${below(3)} - 1)`,
    () => `keep.push(function* () { yield ${below(99)}; yield* keep }().next())`,
    () => `await Promise.all(Array.from({ length: ${below(50)} }, async (_, i) => { await null; keep.push(i) }))`,
    () => `keep.push(${below(1e6) + 2}n ** ${below(200)}n)`,
    () => `(function deep(n) { return n ? [deep(n - 1)] : keep })(${below(300)})`,
    () => `Math.max(...new Array(${below(9000)}).fill(${below(9)}))`,
    () => `keep.length = ${below(30)}`,
    () => `Array.prototype["p${below(9)}"] = keep; class C${below(99)} { #a = keep; static b = 1 }`,
    () =>
      `keep.push(new Date(${below(1e6)} * 1e6).toString(), structuredClone({ a: [${below(9)}] }), crypto.randomUUID())`,
    () => `keep.push(new URL("http://a/${below(99)}?b"), new TextEncoder().encode("é".repeat(${below(900)})))`,
    () => `try { null.x } catch (error) { keep.push(error.stack) }`,
    () => `keep.push(new Proxy(keep, {}), Symbol("s${below(99)}"), (0, eval)("() => ${below(99)}"))`,
    () => `this.$emit({ n: ${below(99)} }); this.db; console.log(keep.length)`,
  ];
  // Steps may fail, for example to serialize a cycle; that writes to memory as well.
  const lines = Array.from(
    { length: 60 + below(120) },
    () => `try { ${steps[below(steps.length)]?.()} } catch { failed += 1 }`,
  );
  const end = `if (failed > ${lines.length / 4}) throw new Error(failed + " steps failed")`;
  return runBody(`const keep = []; let failed = 0; const buffer = new ArrayBuffer(4096);\n${lines.join("\n")}\n${end}`);
}
