import type { Violation } from "./check-imports.ts";
import { isTestCode } from "./rooms.ts";
import type { SourceFile, Tree } from "./tree.ts";

const forUseToo = [
  // A store like the other: whoever builds the house may choose it, though so far only tests do.
  "src/store/memory.ts",
  // A program that is started by its path.
  "src/programs/demo/main.ts",
  // What the package exports as `reprise/client/node`.
  "src/local/local-reprise.ts",
];

/** Files of `src` that only tests use and that do not lie in `fixtures/`. The tree holds `test`, `bench` and `web` too. */
export const checkFixtures = (tree: Tree): Violation[] => {
  const importers = new Map<string, string[]>();
  for (const { path, edges } of tree.values())
    for (const { target } of edges)
      if (target.kind === "file")
        importers.set(target.path, [
          ...(importers.get(target.path) ?? []),
          path,
        ]);
  return [...tree.values()]
    .filter(({ path }) => path.startsWith("src/") && !isTestCode(path))
    .filter(({ path }) => !forUseToo.includes(path))
    .filter((file) => {
      const by = importers.get(file.path) ?? [];
      return declaresTests(file) || (by.length > 0 && by.every(isForTests));
    })
    .map(({ path }) => ({
      file: path,
      what: "only tests use it: put it into fixtures/",
    }));
};

const isForTests = (path: string): boolean =>
  !/^(?:src|web)\//.test(path) || isTestCode(path);

const declaresTests = ({ edges }: SourceFile): boolean =>
  edges.some(({ target }) =>
    target.kind === "builtin"
      ? /^(test|assert)\b/.test(target.name)
      : target.kind === "package" && target.name === "fast-check",
  );
