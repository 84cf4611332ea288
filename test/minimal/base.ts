/**
 * The file system of a minimal machine: a Debian with its required packages and git, as `mmdebstrap` makes it, and
 * Node 20 with its npm in `/usr/local`, as the tarball of nodejs.org has them. It is made once per machine, in a cache
 * outside the repository:
 *
 *   $REPRISE_MINIMAL_CACHE/bookworm-<hash of what it is made of>/root
 *
 * A directory of that name is complete: it is filled under another name and renamed at the end.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  access,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify, parseEnv } from "node:util";
import { cleanEnvironment } from "../../src/kit/processes/clean-environment.ts";

/** The last release of Node 20, and the npm that came with it. */
const packages = {
  [`node-linux-${process.arch}`]: "20.20.2",
  npm: "10.8.2",
};

/** Documents are left out: nobody reads them there. */
const options = [
  "--variant=minbase",
  "--include=git",
  "--quiet",
  ...["doc", "info", "locale", "man"].map(
    (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
  ),
];

/** Resolves with the path of a root that must not be changed. */
export const minimalRoot = async (): Promise<string> => {
  const debian = await debianOfThisMachine();
  const cache =
    process.env["REPRISE_MINIMAL_CACHE"] ??
    join(homedir(), ".cache", "reprise-minimal");
  const made = [debian, options, packages, process.arch];
  const home = join(cache, `${debian.suite}-${hashOf(made)}`);
  if (!(await isThere(home))) {
    await mkdir(cache, { recursive: true });
    const unfinished = await mkdtemp(join(cache, "unfinished-"));
    try {
      await fill(unfinished, debian);
      await rename(unfinished, home);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return join(home, "root");
};

const fill = async (directory: string, debian: Debian): Promise<void> => {
  const root = join(directory, "root");
  const what = [debian.suite, root, ...debian.sources];
  await run("mmdebstrap", [...options, ...what]);
  await putNode(directory, join(root, "usr/local"));
};

/** Node and npm where their own installers put them. */
const putNode = async (directory: string, local: string): Promise<void> => {
  const project = join(directory, "node");
  await mkdir(project);
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ private: true, dependencies: packages }),
  );
  await run("npm", ["install", "--ignore-scripts", "--no-audit"], project);
  const from = join(project, "node_modules");
  await cp(
    join(from, `node-linux-${process.arch}`, "bin/node"),
    join(local, "bin/node"),
  );
  await cp(join(from, "npm"), join(local, "lib/node_modules/npm"), {
    recursive: true,
  });
  for (const program of ["npm", "npx"])
    await symlink(
      `../lib/node_modules/npm/bin/${program}-cli.js`,
      join(local, "bin", program),
    );
  await rm(project, { recursive: true });
};

interface Debian {
  suite: string;
  /** Where its packages come from; without any, from where Debian says. */
  sources: string[];
}

/** The same release from the same mirrors as this machine, if this is a Debian. */
const debianOfThisMachine = async (): Promise<Debian> => {
  const release = parseEnv(await readFile("/etc/os-release", "utf8"));
  const suite = release["VERSION_CODENAME"];
  if (release["ID"] !== "debian" || suite === undefined)
    return { suite: "bookworm", sources: [] };
  const known = [
    "/etc/apt/sources.list.d/debian.sources",
    "/etc/apt/sources.list",
  ];
  const sources: string[] = [];
  for (const file of known) if (await isThere(file)) sources.push(file);
  return { suite, sources: sources.slice(0, 1) };
};

const hashOf = (made: unknown): string =>
  createHash("sha256").update(JSON.stringify(made)).digest("hex").slice(0, 12);

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const run = (program: string, args: readonly string[], cwd = "/") =>
  promisify(execFile)(program, args, {
    cwd,
    env: cleanEnvironment(process.env),
    maxBuffer: 16 * 1024 * 1024,
  });
