/** Bubblewrap makes sandboxes of what Linux gives every user: namespaces and mounts. It is asked, not presumed, whether it works. */
import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const USUAL = ["/usr/bin", "/bin", "/usr/local/bin"];
const TRY_MS = 20_000;

type Variables = Readonly<Record<string, string | undefined>>;

export type Bubblewrap = { program: string } | { why: string };

/** `REPRISE_BWRAP` names it where it lies elsewhere. */
export const findBubblewrap = async (
  { REPRISE_BWRAP: named, PATH = "" }: Variables,
  platform: NodeJS.Platform = process.platform,
): Promise<Bubblewrap> => {
  if (platform !== "linux")
    return {
      why: `Sandboxes are made by Linux, and this machine runs ${platform}. Leave the sandbox out, or use a server on Linux.`,
    };
  const candidates =
    named === undefined || named === ""
      ? [...USUAL, ...PATH.split(":").filter(isAbsolute)].map((directory) =>
          join(directory, "bwrap"),
        )
      : [named];
  for (const program of new Set(candidates))
    if (await isExecutable(program)) return { program };
  return {
    why: "The program bwrap, which makes sandboxes, is not installed on this machine. Install it (package bubblewrap) and try again.",
  };
};

/** Why a sandbox cannot be made; null where one was made and left again. */
export const whyNoSandbox = async (
  program: string,
  args: readonly string[],
): Promise<string | null> => {
  try {
    await run(program, [...args, "--", "true"], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      timeout: TRY_MS,
    });
    return null;
  } catch (error) {
    const said =
      error instanceof Error && "stderr" in error
        ? String(error.stderr).trim()
        : "";
    const what = said === "" ? `${program} did not work` : said;
    return isForbidden(what)
      ? `This machine does not let its users make sandboxes (${what}). Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0), or run the server where they are allowed.`
      : `The sandbox could not be made (${what}). Run \`reprise doctor\` to see whether others can be.`;
  }
};

const isForbidden = (said: string): boolean =>
  /namespace|Operation not permitted|Permission denied|uid map/i.test(said);

/** Whether sandboxes can be made on this machine at all, seen by making one. */
export const whyNoSandboxes = async (
  variables: Variables,
): Promise<string | null> => {
  const found = await findBubblewrap(variables);
  if ("why" in found) return found.why;
  return whyNoSandbox(found.program, [
    ...apartArgs(),
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ]);
};

/** What separates a sandbox from other processes of the machine. Without privileges only a user namespace can do that. */
export const apartArgs = (uid = process.getuid?.()): string[] => [
  ...(uid === 0 ? [] : ["--unshare-user"]),
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--cap-drop",
  "ALL",
];

/** Whether a command line is bubblewrap's own, which stays beside what runs in the sandbox. */
export const isBubblewrap = (command: string): boolean =>
  command.includes(`bwrap ${apartArgs().join(" ")} `);

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
