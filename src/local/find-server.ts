/** Which server to speak to, and with which token: the environment, else what the server of this home left there. */
import { join } from "node:path";
import * as z from "zod";
import { type Address, ServerUnreachable } from "../client/client.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { whyNoHome } from "../kit/files/home-path.ts";
import { readOurs } from "../kit/files/own-file.ts";
import { readOwnJson } from "../kit/files/own-json.ts";
import {
  isRunning,
  type ProcessIdentity,
} from "../kit/processes/process-identity.ts";
import { homeOf } from "./home.ts";
import type { Surroundings } from "./surroundings.ts";
import { isUnusable } from "../kit/files/unusable-file.ts";

export const DEFAULT_URL = "http://127.0.0.1:7420";

const ServerProcess = z.object({
  pid: z.number().int(),
  boot_id: z.string().optional(),
  start_time: z.string().optional(),
});
type ServerProcess = z.infer<typeof ServerProcess>;

const ServerFile = ServerProcess.extend({ url: z.url() });
export type ServerFile = z.infer<typeof ServerFile>;

export const findServer = async (world: Surroundings): Promise<Address> => {
  const home = homeOf(world);
  if (!hasUrlAndToken(world)) await checkHome(home);
  const url = urlFromEnvironment(world) ?? (await ownServer(home, world));
  return { url, token: await tokenFor(url, home, world) };
};

/** Only while it runs: where it does not, anybody may listen at its address by now, and would be given the token of this home. */
const ownServer = async (
  home: string,
  { env }: Pick<Surroundings, "env">,
): Promise<string> => {
  const file = await readServerFile(home);
  if (file !== null && (await runningServer(file)) !== null) return file.url;
  if (isSet(env["REPRISE_TOKEN"])) return DEFAULT_URL;
  // One that another user put there is why none could start.
  await readIfOurs(join(home, "token"));
  throw new ServerUnreachable(DEFAULT_URL, `No server runs for ${home}.`);
};

/** The home is not looked into. */
const hasUrlAndToken = ({ env }: Pick<Surroundings, "env">): boolean =>
  [env["REPRISE_URL"], env["REPRISE_TOKEN"]].every(isSet);

const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== "";

/** A home that cannot be one is said to be that, and not to have no server. */
export const checkHome = async (home: string): Promise<void> => {
  const why = await whyNoHome(home);
  if (why !== null)
    throw new RepriseError(
      "home_unusable",
      `${why} Set REPRISE_HOME to another directory.`,
    );
};

/** What a running server writes into its home; null when there is none. It may be of a server that was killed. */
export const readServerFile = (home: string): Promise<ServerFile | null> =>
  readServerJson(ServerFile, home);

/** The server of a home when it runs, also while it is starting and has no address yet. */
export const findServerProcess = async (
  home: string,
): Promise<ProcessIdentity | null> => {
  const found = await readServerJson(ServerProcess, home);
  return found === null ? null : runningServer(found);
};

/** Whether the last server of a home was killed: one that is stopped takes its file away. */
export const hasDied = async (home: string): Promise<boolean> => {
  const found = await readServerJson(ServerProcess, home);
  return found !== null && (await runningServer(found)) === null;
};

/** The home's own server, when it is the one that listens at this address. */
export const ownServerAt = async (
  url: string,
  world: Surroundings,
): Promise<ProcessIdentity | null> => {
  const file = await readServerFile(homeOf(world)).catch(() => null);
  return file?.url === url ? runningServer(file) : null;
};

const readServerJson = async <T extends object>(
  schema: z.ZodType<T>,
  home: string,
): Promise<T | null> => {
  const found = await readOwnJson(join(home, "server.json"), (document) =>
    schema.parse(document),
  );
  return typeof found === "string" ? null : found;
};

/** The process that wrote the file, when that very process still runs. */
export const runningServer = async ({
  pid,
  boot_id,
  start_time,
}: ServerProcess): Promise<ProcessIdentity | null> => {
  if (boot_id === undefined || start_time === undefined) return null;
  const known = { pid, boot_id, start_time };
  return (await isRunning(known)) ? known : null;
};

const urlFromEnvironment = ({
  env,
}: Pick<Surroundings, "env">): string | undefined => {
  const url = env["REPRISE_URL"];
  if (url === undefined || url === "") return undefined;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new RepriseError(
    "invalid_request",
    `REPRISE_URL is not the address of a server: "${url}". It looks like ${DEFAULT_URL}.`,
  );
};

/** The token of this home goes to this machine only: another host gets what REPRISE_TOKEN says, or nothing. */
const tokenFor = async (
  url: string,
  home: string,
  { env }: Pick<Surroundings, "env">,
): Promise<string | undefined> => {
  const token = env["REPRISE_TOKEN"];
  if (token !== undefined && token !== "") return token;
  return isLoopback(url)
    ? (await readIfOurs(join(home, "token")))?.trim()
    : undefined;
};

const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** What another user wrote there could lead us to a server of theirs: it is refused. What cannot be read is not there. */
const readIfOurs = async (path: string): Promise<string | undefined> => {
  try {
    return (await readOurs(path)) ?? undefined;
  } catch (error) {
    if (isUnusable(error, "not_ours")) throw error;
    return undefined;
  }
};
