import { unreachable } from "../../src/kit/unreachable.ts";
import { isAmong, isTestCode, roomOf, rooms, type Room } from "./rooms.ts";
import type { Edge, SourceFile, Tree } from "./tree.ts";

export interface Violation {
  file: string;
  what: string;
}

/** Every import of `src` that the table of rooms does not allow. */
export const checkImports = (tree: Tree): Violation[] =>
  [...tree.values()].flatMap((file) => {
    const name = roomOf(file.path);
    if (name === null) return [];
    const room = rooms[name];
    if (room === undefined)
      return [
        { file: file.path, what: `${name} is no room: add it to the table` },
      ];
    return file.edges
      .map((edge) => forbidden(file, name, room, edge, tree))
      .filter((what) => what !== null)
      .map((what) => ({ file: file.path, what }));
  });

const forbidden = (
  file: SourceFile,
  name: string,
  room: Room,
  edge: Edge,
  tree: Tree,
): string | null => {
  const inTest = isTestCode(file.path);
  const { target } = edge;
  if (edge.form === "require") return "require() is not used here";
  switch (target.kind) {
    case "unclear":
      return `imports ${edge.specifier ?? "a computed name"}: name the file itself`;
    case "builtin":
      if (edge.specifier === target.name)
        return `write node:${target.name} for ${target.name}`;
      return room.node || inTest ? null : `${name} runs in a browser too`;
    case "package": {
      const testing = inTest && target.name === "fast-check";
      const started =
        edge.form === "dynamic" && room.starts?.includes(target.name);
      return testing || started || room.packages.includes(target.name)
        ? null
        : `${name} may not use the package ${target.name}`;
    }
    case "file":
      if (!tree.has(target.path)) return `there is no ${target.path}`;
      if (!inTest && isTestCode(target.path))
        return `${target.path} is for tests only`;
      if (roomOf(target.path) === name) return null;
      if (isAmong(target.path, room.sees)) return null;
      if (inTest && isAmong(target.path, ["kit", ...(room.testsSee ?? [])]))
        return null;
      if (edge.typeOnly && isAmong(target.path, room.seesTypes ?? []))
        return null;
      if (edge.form === "dynamic" && isAmong(target.path, room.starts ?? []))
        return null;
      return `${name} may not see ${target.path}`;
    default:
      return unreachable(target);
  }
};

/** What runs in a browser reaches nothing that does not, however many files lie between. */
export const checkBrowserSafe = (tree: Tree): Violation[] =>
  reaches(
    tree,
    (path) => rooms[roomOf(path) ?? ""]?.node === false,
    (_, kind) => kind === "builtin",
  );

/** The runtime reaches no file system, however many files lie between: it asks agentctl, or a port. */
export const checkNoFiles = (tree: Tree): Violation[] =>
  reaches(
    tree,
    (path) => roomOf(path) === "runtime",
    (name, kind) =>
      kind === "builtin" && (name === "fs" || name === "fs/promises"),
  );

/** The threads of the database load no schemas: those would cost each of them 100 ms and 8 MB at every start. */
export const checkLeanThreads = (tree: Tree): Violation[] =>
  reaches(
    tree,
    (path) => /^src\/store\/sqlite\/threads\/[\w-]+-thread\.ts$/.test(path),
    (name, kind) => kind === "package" && name === "zod",
  );

/** Files from which a module is reached that must not be. */
const reaches = (
  tree: Tree,
  isBound: (path: string) => boolean,
  isForbidden: (name: string, kind: "builtin" | "package") => boolean,
): Violation[] => {
  const violations: Violation[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) return;
    for (const { typeOnly, target } of tree.get(path)?.edges ?? []) {
      if (typeOnly) continue;
      if (
        (target.kind === "builtin" || target.kind === "package") &&
        isForbidden(target.name, target.kind)
      )
        violations.push({
          file: trail[0] ?? path,
          what: `reaches ${target.name} by ${[...trail, path].join(" → ")}`,
        });
      if (target.kind === "file") visit(target.path, [...trail, path]);
    }
  };
  for (const path of tree.keys())
    if (isBound(path) && !isTestCode(path)) visit(path, []);
  return violations;
};

/** Each ring of files that import each other, types included: it has no first file to read. */
export const checkCycles = (tree: Tree): Violation[] => {
  const violations: Violation[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1)
      violations.push({
        file: path,
        what: `imports itself by ${[...trail.slice(start), path].join(" → ")}`,
      });
    if (start !== -1 || done.has(path)) return;
    for (const { target } of tree.get(path)?.edges ?? [])
      if (target.kind === "file") visit(target.path, [...trail, path]);
    done.add(path);
  };
  for (const path of tree.keys()) visit(path, []);
  return violations;
};
