import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";
import { builtinModules } from "node:module";
import { importsOf, type Import } from "./imports.ts";

export type Target =
  | { kind: "file"; path: string }
  | { kind: "package"; name: string }
  | { kind: "builtin"; name: string }
  /** A computed, absolute or otherwise indirect specifier. */
  | { kind: "unclear" };

export interface Edge extends Import {
  target: Target;
}

export interface SourceFile {
  /** From the root, with slashes: `src/kit/data/ulid.ts`. */
  path: string;
  lines: number;
  edges: readonly Edge[];
}

export type Tree = ReadonlyMap<string, SourceFile>;

/** All TypeScript of these folders, with what each file imports. */
export const readTree = async (
  root: string,
  folders: readonly string[],
): Promise<Tree> => {
  const tree = new Map<string, SourceFile>();
  for (const folder of folders)
    for await (const found of glob("**/*.{ts,tsx,mts,cts,js,mjs,cjs}", {
      cwd: join(root, folder),
    })) {
      const path = join(folder, found);
      const source = await readFile(join(root, path), "utf8");
      tree.set(path, readSource({ path, source }));
    }
  return tree;
};

/** A tree as it would be with these files in it, or with other texts in them. */
export const treeWith = (tree: Tree, written: readonly Written[]): Tree =>
  new Map([
    ...tree,
    ...written.map((file) => [file.path, readSource(file)] as const),
  ]);

/** A file with its text. */
export interface Written {
  path: string;
  source: string;
}

const readSource = ({ path, source }: Written): SourceFile => ({
  path,
  lines: source.split("\n").length - 1,
  edges: importsOf(source).map((one) => ({
    ...one,
    target: targetOf(path, one.specifier),
  })),
});

const targetOf = (from: string, specifier: string | null): Target => {
  if (specifier === null) return { kind: "unclear" };
  if (specifier.startsWith("./") || specifier.startsWith("../"))
    return { kind: "file", path: join(dirname(from), specifier) };
  const name = specifier.replace(/^node:/, "");
  if (specifier !== name || builtinModules.includes(name.split("/")[0] ?? ""))
    return { kind: "builtin", name };
  const packageName = /^(@[\w.-]+\/[\w.-]+|[a-z][\w.-]*)(\/.*)?$/.exec(
    specifier,
  )?.[1];
  return packageName === undefined
    ? { kind: "unclear" }
    : { kind: "package", name: packageName };
};
