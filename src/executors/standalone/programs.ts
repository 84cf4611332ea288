import { createHash } from "node:crypto";
import {
  chmod,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod";
import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import { placeDurably, syncDirectory } from "../../kit/files/durable-file.ts";
import { install } from "./install.ts";
import { shareFile } from "./share-file.ts";

/** What runs where nothing of ours is installed: in containers, and on hosts. Both are names of directories among the programs. */
export interface Programs {
  build: string;
  /** Node as a program that runs on any Linux of this architecture: itself, its loader, its libraries and a line of shell that calls them. */
  runtime: string;
}

/** `directory` can be mounted or copied elsewhere: nothing in it names where it lies. What is there already is used as it is: names say what is in it. */
export const installPrograms = async (
  directory: string,
  version: string,
): Promise<Programs> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { build } = await install(directory, version);
  return { build, runtime: await installRuntime(directory) };
};

const installRuntime = async (directory: string): Promise<string> => {
  const { loader, libraries } = linkedLibraries();
  const text = launcher(loader);
  const name = `runtime-${process.version}-${await fingerprint(libraries, text)}`;
  const target = join(directory, name);
  if (await isThere(target)) return name;
  const draft = await mkdtemp(`${target}.`);
  try {
    await mkdir(join(draft, "lib"));
    for (const path of libraries)
      // By its own name, what a name leads to: one of two names of a file may be a link.
      await shareFile(await realpath(path), join(draft, "lib", basename(path)));
    await shareFile(process.execPath, join(draft, "lib", NODE));
    await writeFile(join(draft, "node"), text, { flush: true });
    for (const path of ["", "lib", "node"])
      await chmod(join(draft, path), 0o755);
    await syncDirectory(draft);
    await placeDurably(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
  return name;
};

/** What starts programs by the path of Node gets a path for it; `process.execPath` would be the loader's. */
const launcher = (loader: string): string =>
  `#!/bin/sh\nlib=\${0%/*}/lib\nexec "$lib/${loader}" --library-path "$lib" "$lib/${NODE}" "$@"\n`;

/** Beside its libraries. */
const NODE = "node";

const Report = z.object({ sharedObjects: z.array(z.string()) });

/** What the Node that we run on is linked to, by the paths from which it was loaded. */
const linkedLibraries = (): { loader: string; libraries: string[] } => {
  // It would look up the names of all peers. The types of Node do not know it.
  Object.assign(process.report, { excludeNetwork: true });
  const { sharedObjects } = Report.parse(process.report.getReport());
  const libraries = sharedObjects.filter((path) =>
    /^\/.*\.so(\.\d+)*$/.test(path),
  );
  const loader = libraries.map((path) => basename(path)).find(isLoader);
  if (process.platform !== "linux" || loader === undefined)
    throw new RepriseError(
      "not_supported",
      "Containers and hosts that are reached by ssh need a server that runs on Linux: what runs there is a copy of its Node",
    );
  return { loader, libraries };
};

/** `ld-linux-x86-64.so.2`, `ld-linux-aarch64.so.1`. */
const isLoader = (name: string): boolean => name.startsWith("ld-");

const fingerprint = async (
  libraries: readonly string[],
  text: string,
): Promise<string> => {
  const hash = createHash("sha256").update(text);
  for (const path of [process.execPath, ...libraries]) {
    const { size, mtimeMs } = await stat(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 8);
};

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
