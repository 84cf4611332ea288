import { join } from "node:path";
import type { Rolldown } from "vite";

const source = join(import.meta.dirname, "../src");
/** Where the page starts. It waits for the server before it renders, so nothing that others import may be in its script. */
const START = join(source, "main.tsx");
/** Where the screens are imported, each when it is shown. */
const SCREENS = join(source, "app.tsx");
const SESSION = join(source, "session/session-page.tsx");

/** What checks is left out of it, although what is imported imports it: only some of the screens that come later use it. */
const SCHEMAS = /\/node_modules\/zod\//;

/**
 * What every screen needs goes into one script, with what a session shares with another screen; what a session alone needs goes into
 * another. Left to itself the builder makes one of each set of modules that the same screens share: dozens of them, each requested and
 * compressed alone.
 */
export const firstScript = (): Rolldown.CodeSplittingOptions => {
  let scripts: Scripts | null = null;
  return {
    // Else what is left out comes in again with those that import it.
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: "first and session",
        name: (id, context) => {
          if (SCHEMAS.test(id)) return null;
          scripts ??= scriptsOf((each) => context.getModuleInfo(each));
          if (scripts.first.has(id)) return "first";
          return scripts.session.has(id) ? "session" : null;
        },
      },
    ],
  };
};

type GetInfo = (id: string) => Rolldown.ModuleInfo | null;

interface Scripts {
  first: ReadonlySet<string>;
  session: ReadonlySet<string>;
}

const scriptsOf = (getInfo: GetInfo): Scripts => {
  const everywhere = importedBy([START], getInfo);
  const session = importedBy([SESSION], getInfo);
  const others = importedBy(
    (getInfo(SCREENS)?.dynamicallyImportedIds ?? []).filter(
      (screen) => screen !== SESSION,
    ),
    getInfo,
  );
  return {
    first: everywhere.union(session.intersection(others)),
    session,
  };
};

/** All that modules import, and what that imports. What is imported later, when somebody asks for it, is not among it. */
const importedBy = (
  starts: readonly string[],
  getInfo: GetInfo,
): Set<string> => {
  const found = new Set<string>();
  const visit = (id: string): void => {
    for (const each of getInfo(id)?.importedIds ?? [])
      if (!found.has(each)) {
        found.add(each);
        visit(each);
      }
  };
  starts.forEach(visit);
  return found;
};
