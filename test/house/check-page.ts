/** What the page may import: it is a client, and shares with the core only how a conversation and a line are folded. */
import { extname } from "node:path/posix";
import { unreachable } from "../../src/kit/unreachable.ts";
import type { Violation } from "./check-imports.ts";
import { isAmong, isTestCode } from "./rooms.ts";
import type { Edge, SourceFile, Tree } from "./tree.ts";

const sees = [
  "client",
  "contract",
  "session/view/project",
  "session/line",
  "kit/unreachable",
  "kit/data/bound-counts",
  "kit/data/is-record",
  "kit/data/fuzzy",
];
/** What is played through in tests is a story of the core. */
const testsSee = ["kit", "session"];
const packages = [
  "react",
  "react-dom",
  "wouter",
  "virtua",
  "marked",
  "zod",
  "@ariakit/react",
  "shiki",
  "@shikijs/langs",
  "@shikijs/themes",
  "diff",
  "@xterm/xterm",
  "@xterm/addon-fit",
  "@xterm/addon-search",
];

/** The tree holds `web` and `src`; `styles` are the style sheets of `web`. */
export const checkPage = (
  tree: Tree,
  styles: ReadonlySet<string>,
): Violation[] =>
  [...tree.values()]
    .filter(({ path }) => path.startsWith("web/src/"))
    .flatMap((file) =>
      file.edges
        .map((edge) => forbidden(file, edge, tree, styles))
        .filter((what) => what !== null)
        .map((what) => ({ file: file.path, what })),
    );

const forbidden = (
  { path }: SourceFile,
  { target, form, specifier }: Edge,
  tree: Tree,
  styles: ReadonlySet<string>,
): string | null => {
  const inTest = isTestCode(path);
  if (form === "require") return "require() is not used here";
  switch (target.kind) {
    case "unclear":
      return `imports ${specifier ?? "a computed name"}: name the file itself`;
    case "builtin":
      return inTest
        ? null
        : `the page runs in a browser, without ${target.name}`;
    case "package":
      return packages.includes(target.name) ||
        (inTest && target.name === "fast-check")
        ? null
        : `the page may not use the package ${target.name}`;
    case "file": {
      if (extname(target.path) === ".css")
        return styles.has(target.path) ? null : `there is no ${target.path}`;
      if (!tree.has(target.path)) return `there is no ${target.path}`;
      if (!inTest && isTestCode(target.path))
        return `${target.path} is for tests only`;
      if (target.path.startsWith("web/src/")) return null;
      const seen = inTest ? [...sees, ...testsSee] : sees;
      return isAmong(target.path, seen)
        ? null
        : `the page may not see ${target.path}`;
    }
    default:
      return unreachable(target);
  }
};
