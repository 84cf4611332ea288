import { join } from "node:path";
import type { Rolldown } from "vite";

/** Where the page starts. It waits for the server before it renders, so nothing that others import may be in its script. */
const START = join(import.meta.dirname, "../src/main.tsx");

/** What checks is left out of it, although what is imported imports it: only some of the screens that come later use it. */
const SCHEMAS = /\/node_modules\/zod\//;

/**
 * What every screen needs goes into one script. Left to itself the builder makes one of each set of modules that the same screens share:
 * dozens of them, each requested and compressed alone.
 */
export const firstScript = (): Rolldown.CodeSplittingOptions => {
  let needed: ReadonlySet<string> | null = null;
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        name: (id, context) => {
          if (SCHEMAS.test(id)) return null;
          needed ??= importedBy(START, (each) => context.getModuleInfo(each));
          return needed.has(id) ? "first" : null;
        },
      },
    ],
  };
};

/** All that a module imports, and what that imports. What is imported later, when somebody asks for it, is not among it. */
const importedBy = (
  start: string,
  getModuleInfo: (id: string) => Rolldown.ModuleInfo | null,
): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (id: string): void => {
    for (const each of getModuleInfo(id)?.importedIds ?? [])
      if (!found.has(each)) {
        found.add(each);
        visit(each);
      }
  };
  visit(start);
  return found;
};
