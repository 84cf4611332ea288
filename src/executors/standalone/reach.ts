/**
 * Connects to the agentctl of a home, whatever is in between:
 *
 *   daemon ──► link ──► as new as we are: done
 *     ▲         │ └──► older: let it retire ──┐
 *     │         ├──► silent: end it ──────────┤
 *     │         └──► lost ────────────────────┤
 *     └───────────────────────────────────────┘
 */
import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { attempts } from "../link/attempts.ts";
import { openLink, type Introduction, type Link } from "../link/link.ts";
import { letRetire } from "../link/retire.ts";
import { isNewer } from "./build.ts";
import { reachDaemon } from "./daemon.ts";
import { agentctlOf, endFrozen } from "./frozen.ts";
import type { SpawnedDaemon } from "./spawn-daemon.ts";

export interface ReachOptions {
  /** The home's `agentctl`. */
  directory: string;
  socketPath: string;
  introduction: Introduction;
  start: () => Promise<SpawnedDaemon>;
  /** How long a daemon may take to listen. */
  readyMs: number;
  /** The build that would be started here; null when none can be. */
  ownBuild: () => Promise<string | null>;
  log: Log;
  signal: AbortSignal;
}

/** After so many attempts it gives up. */
const MAX_ATTEMPTS = 8;

export const reachAgentctl = async (options: ReachOptions): Promise<Link> => {
  const stayed = new Set<number>();
  let unknown = 0;
  const link = await attempts<Link>(
    MAX_ATTEMPTS,
    options.signal,
    async (attempt) => {
      const found = await tryOnce(options, attempt === 0);
      switch (found) {
        case "silent":
          // When it is not the one we know of, another server may just have put a new one in its place: look once more.
          if (!(await ended(options)) && ++unknown > 1)
            throw nobodyKnown(options);
          return "again";
        case "lost":
        case "incompatible":
          return "later";
        default: {
          const { pid, build } = found.hello;
          const own = await options.ownBuild();
          if (own === null || !isNewer(own, build) || stayed.has(pid))
            return found;
          options.log.info(
            { pid, build, own },
            "letting an older agentctl retire",
          );
          stayed.add(pid);
          return (await letRetire(found)) ? "again" : found;
        }
      }
    },
  );
  if (link !== null) return link;
  throw new RepriseError(
    "agentctl_unavailable",
    "agentctl was reached and lost again and again; agentctl.log in the home says what it does",
  );
};

/** An agentctl that cannot serve us goes when it has nobody to look after: it is asked twice. */
const tryOnce = async (
  { directory, socketPath, introduction, start, readyMs, signal }: ReachOptions,
  isFirst: boolean,
): Promise<Link | "silent" | "lost" | "incompatible"> => {
  const socket = await reachDaemon(socketPath, start, readyMs, signal);
  if (socket === "held") return "silent";
  const letGo = () => socket.destroy();
  if (signal.aborted) letGo();
  signal.addEventListener("abort", letGo);
  try {
    return await openLink(socket, introduction);
  } catch (error) {
    const incompatible =
      error instanceof LinkError && error.code === "incompatible_protocol";
    if (!incompatible) throw error;
    if (isFirst) return "incompatible";
    throw await otherRelease(directory, error);
  } finally {
    signal.removeEventListener("abort", letGo);
  }
};

const ended = async ({ directory, log }: ReachOptions): Promise<boolean> => {
  const frozen = await endFrozen(directory);
  if (frozen === null) return false;
  const { pid, build } = frozen;
  log.warn({ pid, build }, "agentctl gave no sign of life; it was ended");
  return true;
};

const nobodyKnown = ({ directory, socketPath }: ReachOptions): RepriseError =>
  new RepriseError(
    "agentctl_unavailable",
    `Nobody answers at ${socketPath}, and agentctl.json in ${directory} does not say which process that is. End the agentctl of this home, then try again; agents go on meanwhile`,
  );

const otherRelease = async (
  directory: string,
  cause: LinkError,
): Promise<RepriseError> => {
  const known = await agentctlOf(directory);
  const who = known ? ` ${known.build} (process ${known.pid})` : "";
  return new RepriseError(
    "agentctl_unavailable",
    `The agents of this home are looked after by agentctl${who} of another release, and this one cannot speak with it: ${cause.message}. Start the server of that release, or wait until its agents have ended: it goes with the last of them. They are left as they are`,
    { cause },
  );
};
