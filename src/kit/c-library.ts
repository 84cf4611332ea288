/**
 * Functions of the C library, and of libraries that the Node binary contains (Zstandard), called directly. Node 24 has
 * no foreign function interface; koffi's native module is one. It is loaded by its path and not imported, because
 * agentctl runs from a copy in the home that has no `node_modules`.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The name of the native module beside agentctl's copy. */
export const ADDON = "koffi.node";

type CType = keyof Values;

/** What each type of C is in JavaScript. A null pointer is null. */
interface Values {
  i32: number;
  u32: number;
  /** A number where it can be one exactly. */
  i64: number | bigint;
  u64: number | bigint;
  pointer: bigint | null;
  buffer: Uint8Array;
}

interface Signature {
  readonly arguments: readonly CType[];
  readonly return: Exclude<CType, "buffer">;
}

type Functions<S extends Record<string, Signature>> = {
  [N in keyof S]: (
    ...args: ValuesOf<S[N]["arguments"]>
  ) => Values[S[N]["return"]];
};

type ValuesOf<A extends readonly CType[]> = { [I in keyof A]: Values[A[I]] };

/** Null where one of them cannot be called: callers have another way, or do without. */
export const cFunctions = <const S extends Record<string, Signature>>(
  signatures: S,
): Functions<S> | null => {
  try {
    const program = addon().load(null);
    const functions = Object.entries(signatures).map(([name, signature]) => [
      name,
      program.func(
        name,
        koffiTypes[signature.return],
        signature.arguments.map((type) => koffiTypes[type]),
      ),
    ]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by these signatures, one line above
    return Object.fromEntries(functions) as Functions<S>;
  } catch {
    return null;
  }
};

/** `errno` as the last call on this thread left it. It means something only right after a call that failed. */
export const lastErrno = (): number => addon().errno();

/** Where npm put the native module for this machine; null where it did not. */
export const installedAddon = (): string | null => {
  const { platform, arch } = process;
  try {
    return fileURLToPath(
      import.meta.resolve(
        `@koromix/koffi-${platform}-${arch}/${platform}_${arch}/${ADDON}`,
      ),
    );
  } catch {
    return null;
  }
};

const koffiTypes: Record<CType, string> = {
  i32: "int32",
  u32: "uint32",
  i64: "int64",
  u64: "uint64",
  pointer: "void *",
  buffer: "void *",
};

/** The little that we use of it. `load(null)` is the program itself, with all it is linked to. */
interface Koffi {
  load(path: null): {
    func(name: string, result: string, args: string[]): unknown;
  };
  errno(): number;
}

const addon = (): Koffi => (loaded ??= load());
let loaded: Koffi | null = null;

const load = (): Koffi => {
  for (const path of [join(import.meta.dirname, ADDON), installedAddon()]) {
    const native: { exports: object } = { exports: {} };
    try {
      if (path !== null) process.dlopen(native, path);
    } catch {
      continue;
    }
    if (isKoffi(native.exports)) return native.exports;
  }
  throw new Error("there is no native module for this machine");
};

const isKoffi = (exports: object): exports is Koffi => "load" in exports;
