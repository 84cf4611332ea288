import { dirname, join } from "node:path";
import type { Launch, Where } from "./launch.ts";
import { findProgram } from "./find-program.ts";
import { packageVersion } from "./package-version.ts";

/** A program that npm brings. */
export interface Program {
  /** What it is called where it is installed. */
  name: string;
  args: readonly string[];
  package: string;
  /** The version that was tried. Never a range: on an old Node npm picks old versions silently. Null when none was: npx is not asked for it. */
  version: string | null;
}

type Located = Pick<Launch, "argv" | "version" | "found">;

/** On the PATH, in the project's own node_modules, else fetched by npx; null when there is no npx either. */
export const locateProgram = async (
  program: Program,
  { path, cwd }: Pick<Where, "path" | "cwd">,
): Promise<Located | null> =>
  (await locateIn(program, path, "path")) ??
  (await locateIn(program, projectPath(cwd), "project")) ??
  (await locateByNpx(program, path));

export const installOf = (program: Program): string =>
  `npm install -g ${specOf(program)}`;

/** The commands that log in: by the program where it is installed, and by npx where it is not. */
export const loginBy = (
  program: Program,
  args: string,
): { program: string; command: string; npx: string } => {
  const words = args === "" ? "" : ` ${args}`;
  return {
    program: program.name,
    command: `${program.name}${words}`,
    npx: `npx --yes ${specOf(program)}${words}`,
  };
};

const specOf = ({ package: name, version }: Program): string =>
  version === null ? name : `${name}@${version}`;

const locateIn = async (
  program: Program,
  path: string,
  found: "path" | "project",
): Promise<Located | null> => {
  const file = await findProgram(program.name, path);
  if (file === null) return null;
  const version = await packageVersion(file);
  return { argv: [file, ...program.args], version, found };
};

/** The `node_modules/.bin` of a directory and of all above it, as a PATH. */
const projectPath = (cwd: string | undefined): string => {
  if (cwd === undefined) return "";
  const entries: string[] = [];
  for (let at = cwd; ; at = dirname(at)) {
    entries.push(join(at, "node_modules", ".bin"));
    if (dirname(at) === at) return entries.join(":");
  }
};

const locateByNpx = async (
  program: Program,
  path: string,
): Promise<Located | null> => {
  if (program.version === null) return null;
  const npx = await findProgram("npx", path);
  if (npx === null) return null;
  return {
    argv: [npx, "--yes", specOf(program), ...program.args],
    version: program.version,
    found: "npx",
  };
};
