import type { Plugin } from "vite";

/** The name of the file that says which packages are in the build. */
export const PACKAGES_FILE = "packages.txt";

/** Lists the packages that the page and its workers are made of: their licences go with it. */
export const listPackages = (): { ofPage: Plugin; ofWorkers: () => Plugin } => {
  const names = new Set<string>();
  const note = (id: string): void => {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
    if (name !== undefined) names.add(name);
  };
  return {
    ofPage: {
      name: "list-packages",
      apply: "build",
      moduleParsed: ({ id }) => note(id),
      generateBundle() {
        this.emitFile({
          type: "asset",
          fileName: PACKAGES_FILE,
          source: `${[...names].sort().join("\n")}\n`,
        });
      },
    },
    ofWorkers: () => ({
      name: "list-packages-of-workers",
      moduleParsed: ({ id }) => note(id),
    }),
  };
};
