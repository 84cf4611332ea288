import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { compile, run } from "./run.ts";

const Manifest = z.object({
  version: z.string(),
  license: z.string(),
  dependencies: z.object({ zod: z.string() }),
});

/**
 * `reprise-client`: the typed client for other projects. Whoever installs `reprise` gets a Node binary with it, and npm
 * links that as `node_modules/.bin/node` of the project; this package has nothing but zod. Returns its directory.
 */
export const buildClientPackage = (root: string, dist: string): string => {
  const directory = join(dist, "reprise-client");
  compile(root, "tsconfig.build.json");
  const manifest = Manifest.parse(
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
  );
  writeFileSync(join(directory, "package.json"), clientManifest(manifest));
  copyFileSync(
    join(root, "src/client/README.md"),
    join(directory, "README.md"),
  );
  copyFileSync(join(root, "LICENSE"), join(directory, "LICENSE"));
  // Said here, because `npm pack` of the program runs us with its own settings in the environment.
  const settings = [`--pack-destination=${dist}`, "--json=false", "--silent"];
  run(root, "npm", "pack", directory, ...settings);
  return directory;
};

const clientManifest = ({
  version,
  license,
  dependencies,
}: z.output<typeof Manifest>): string =>
  JSON.stringify(
    {
      name: "reprise-client",
      version,
      description:
        "The typed client of Reprise, a durable session runtime for coding agents.",
      license,
      type: "module",
      sideEffects: false,
      engines: { node: ">=20" },
      exports: {
        ".": exported("client/sdk/reprise"),
        "./contract/problem": exported("contract/problem/problem"),
        "./contract/*": exported("contract/*"),
      },
      dependencies: { zod: `^${dependencies.zod}` },
    },
    null,
    2,
  ) + "\n";

const exported = (file: string) => ({
  types: `./${file}.d.ts`,
  default: `./${file}.js`,
});
