/** What of this machine belongs into a sandbox. */
import { lstat, readdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { isInside } from "../../kit/files/is-inside.ts";
import type { Layout } from "./layout.ts";

/** Programs and libraries. */
const SYSTEM = /^(usr|bin|sbin|lib|lib32|lib64|libx32|nix)$/;

/** Of /etc what programs need: names, networks, certificates, languages. No secrets, and no settings of services. */
const ETC = [
  "alternatives",
  "bash.bashrc",
  "bashrc",
  "ca-certificates",
  "crypto-policies",
  "debian_version",
  "gai.conf",
  "gitconfig",
  "group",
  "host.conf",
  "hostname",
  "hosts",
  "inputrc",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "locale.alias",
  "locale.conf",
  "localtime",
  "magic",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "pki/ca-trust",
  "pki/tls/cert.pem",
  "pki/tls/certs",
  "pki/tls/openssl.cnf",
  "profile",
  "protocols",
  "resolv.conf",
  "services",
  "shells",
  "ssl/cert.pem",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
].map((name) => join("/etc", name));

export const findSystem = async (): Promise<Layout["system"]> => {
  const names = (await readdir("/")).filter((name) => SYSTEM.test(name));
  const entries = names.map(async (name) => {
    const path = join("/", name);
    const isLink = (await lstat(path)).isSymbolicLink();
    return { path, link: isLink ? await readlink(path) : null };
  });
  const settings = (await existing(ETC)).map((path) => ({ path, link: null }));
  return [...(await Promise.all(entries)), ...settings];
};

/** What must not come into a sandbox with something else. */
export interface Kept {
  /** Homes of people. What lies in one may be shown, but not all of it. */
  people: readonly string[];
  /** The home of Reprise. Nothing in it is shown but its programs. */
  reprise: string;
  programs: string;
  cwd: string;
}

/**
 * Directories of a PATH that lie outside of the system, and libraries beside them. One that holds a home is left out, and
 * the workspace is there anyhow.
 */
export const findTools = async (
  path: string,
  kept: Kept,
): Promise<string[]> => {
  const named = [...new Set(path.split(":").filter(isAbsolute))];
  const directories = named.flatMap((directory) =>
    /^s?bin$/.test(basename(directory))
      ? [directory, ...BESIDE.map((name) => join(dirname(directory), name))]
      : [directory],
  );
  const found = directories.map(async (directory) =>
    (await isDirectory(directory)) && (await mayBeShown(directory, kept))
      ? [directory]
      : [],
  );
  return (await Promise.all(found)).flat();
};

const BESIDE = ["lib", "lib64", "libexec"];

/**
 * The program that a command line starts, and the script after it where that is read by an interpreter: a file that is
 * named as an argument is not shown. With a file comes the package of npm that it is in, and nothing else that lies beside it.
 */
export const findPrograms = async (
  argv: readonly string[],
  kept: Kept,
): Promise<string[]> => {
  const found = startedBy(argv, kept).map((file) => shownFor(file, kept));
  return [...new Set((await Promise.all(found)).flat())];
};

const INTERPRETER = /^(node(js)?|bun|deno|python[\d.]*|sh|bash|dash)$/;

/** A program of ours may start another one, whose command line comes behind `--`. */
const startedBy = (
  [program = "", ...args]: readonly string[],
  kept: Kept,
): string[] => {
  if (!INTERPRETER.test(basename(program))) return [program];
  const script = args.find((each) => !each.startsWith("-")) ?? "";
  const end = args.indexOf("--");
  return isOurs(script, kept) && end !== -1
    ? [program, script, ...startedBy(args.slice(end + 1), kept)]
    : [program, script];
};

const isOurs = (file: string, { programs }: Kept): boolean =>
  isInside(file, programs) || (SOURCES !== null && isInside(file, SOURCES));

/** Of a clone, in which our programs read one another. */
const SOURCES = import.meta.filename.endsWith(".ts")
  ? join(import.meta.dirname, "../../..")
  : null;

const shownFor = async (file: string, kept: Kept): Promise<string[]> => {
  const real = isAbsolute(file) ? await realpath(file).catch(() => null) : null;
  if (real === null || !(await stat(real)).isFile()) return [];
  const shown = [file, packageOf(real) ?? real].map(async (path) =>
    (await mayBeShown(path, kept)) ? [path] : [],
  );
  return (await Promise.all(shown)).flat();
};

/** The innermost, by where packages are put. */
const packageOf = (file: string): string | null => {
  if (SOURCES !== null && isInside(file, SOURCES)) return SOURCES;
  const [, directory] = PACKAGED.exec(file) ?? [];
  return directory ?? null;
};

const PACKAGED = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/@][^/]*)\//;

/** By its name and by where that leads. */
const mayBeShown = async (path: string, kept: Kept): Promise<boolean> => {
  const real = await realpath(path).catch(() => path);
  return [path, real].every((each) => isShowable(each, kept));
};

/** Not what is there already, and nothing that holds a home or the workspace. */
export const isShowable = (
  path: string,
  { people, reprise, programs, cwd }: Kept,
): boolean =>
  !SYSTEM.test(path.split("/")[1] ?? "") &&
  !isInside(path, cwd) &&
  (!isInside(path, reprise) || isInside(path, programs)) &&
  ![...people, reprise, cwd].some((each) => isInside(each, path));

export const existing = async (paths: readonly string[]): Promise<string[]> => {
  const found = paths.map((path) =>
    stat(path).then(
      () => [path],
      () => [],
    ),
  );
  return (await Promise.all(found)).flat();
};

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
