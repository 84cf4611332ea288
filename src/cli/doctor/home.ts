import { mkdtemp, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { whyNoHome } from "../../kit/files/home-path.ts";
import { octal, whyNotOurs } from "../../kit/files/own-file.ts";
import { quoted } from "../terminal/quoted.ts";
import { type Finding, fail, ok, warn } from "./check.ts";

/** The home: there or possible, writable, and nobody else's to read. */
export const checkHome = async (home: string): Promise<Finding[]> => {
  const why = await whyNoHome(home);
  if (why !== null)
    return [fail("home", why, "export REPRISE_HOME=~/.reprise")];
  const found = await lookAt(home);
  if (found === null) return [await checkNewHome(home)];
  return [
    (await isWritable(home))
      ? privacy("home", home, found, 0o700)
      : fail(
          "home",
          `${home} cannot be written`,
          `chmod u+rwx ${quoted(home)}`,
        ),
    ...(await checkToken(join(home, "token"))),
    await checkSpace(home),
  ];
};

const checkNewHome = async (home: string): Promise<Finding> => {
  const parent = await nearestExisting(dirname(home));
  return (await isWritable(parent))
    ? ok("home", `${home} will be made by \`reprise up\``)
    : fail(
        "home",
        `${home} does not exist and ${parent} cannot be written`,
        "export REPRISE_HOME=~/.reprise",
      );
};

const checkToken = async (path: string): Promise<Finding[]> => {
  const found = await lookAt(path);
  return found === null ? [] : [privacy("token", path, found, 0o600)];
};

const privacy = (
  name: string,
  path: string,
  found: { uid: number; mode: number },
  mode: number,
): Finding => {
  const why = whyNotOurs(path, found);
  if (why !== null) return fail(name, why);
  return (found.mode & 0o077) === 0
    ? ok(name, `${path} is private`)
    : warn(
        name,
        `others can reach ${path} (mode ${octal(found.mode)})`,
        `chmod ${mode.toString(8)} ${quoted(path)}`,
      );
};

const MEBIBYTE = 1024 * 1024;

const checkSpace = async (home: string): Promise<Finding> => {
  const { bavail, bsize } = await statfs(home);
  const free = Math.floor((bavail * bsize) / MEBIBYTE);
  const words = `${free} MiB free`;
  if (free < 100) return fail("disk", `${words}: too little to go on safely`);
  return free < 1024 ? warn("disk", `${words}: little`) : ok("disk", words);
};

const nearestExisting = async (path: string): Promise<string> =>
  (await lookAt(path)) !== null || dirname(path) === path
    ? path
    : nearestExisting(dirname(path));

const lookAt = (path: string) => stat(path).catch(() => null);

/** Tried, not asked for: a disk that has failed says that it may be written. */
const isWritable = (path: string): Promise<boolean> =>
  mkdtemp(join(path, ".doctor-"))
    // A server that starts may have been faster.
    .then((made) => rm(made, { recursive: true, force: true }))
    .then(
      () => true,
      () => false,
    );
