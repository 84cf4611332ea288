/** The programs we are measured against. One that is absent is a failure: a table without its peers says nothing. */
import { spawnSync } from "node:child_process";

interface Tool {
  program: string;
  version: string;
  /** Who brings it. */
  debianPackage: string;
}

const tools: readonly Tool[] = [
  { program: "find", version: "--version", debianPackage: "findutils" },
  { program: "cp", version: "--version", debianPackage: "coreutils" },
  { program: "tar", version: "--version", debianPackage: "tar" },
  { program: "gzip", version: "--version", debianPackage: "gzip" },
  { program: "zstd", version: "--version", debianPackage: "zstd" },
  { program: "restic", version: "version", debianPackage: "restic" },
  { program: "git", version: "--version", debianPackage: "git" },
];

/** The first line of what each says about itself. */
export const toolVersions = (): string[] => {
  const absent: string[] = [];
  const versions = tools.map(({ program, version, debianPackage }) => {
    const { status, stdout } = spawnSync(program, [version], {
      encoding: "utf8",
    });
    if (status !== 0) absent.push(debianPackage);
    return (stdout ?? "").split("\n", 1)[0] ?? "";
  });
  if (absent.length > 0)
    throw new Error(
      `Peers are missing, on Debian they come with: apt-get install ${absent.join(" ")}`,
    );
  return versions;
};
