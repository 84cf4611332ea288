/**
 * Connects to the agentctl of a host, whatever is in between:
 *
 *   knock ──► relay ──► link ──► as new as we are: done
 *    ▲ │ lacks  │ nobody  └──► older: let it retire ──────────────┐
 *    │ ▼        ▼              silent: the relay is to end it ────┤
 *    │ send     only looked    lost ──────────────────────────────┤
 *    └────────────────────────────────────────────────────────────┘
 */
import type { OwnerId } from "../../contract/base/id.ts";
import { KIND_SSH } from "../../contract/base/place.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { RepriseError } from "../../contract/problem/problem.ts";
import type { LogLimits } from "../../kit/files/log-file.ts";
import type { Log } from "../../runtime/ports/home.ts";
import {
  hostNotUsable,
  hostWords,
  refusedHello,
} from "../hosts/host-problem.ts";
import { reachedHost } from "../hosts/reached-host.ts";
import { attempts } from "../link/attempts.ts";
import type { Dialled } from "../link/data-link.ts";
import { type Link, openLink } from "../link/link.ts";
import { letRetire } from "../link/retire.ts";
import {
  NobodyThere,
  type Reached,
  type Reaching,
} from "../link/shared-place.ts";
import { unavailable } from "../link/unavailable.ts";
import { isNewer } from "../standalone/build.ts";
import type { Programs } from "../standalone/programs.ts";
import { type Door, type Found, knock } from "./knock.ts";
import { sendPrograms } from "./send-programs.ts";

export interface SshReach {
  door: Door;
  programs: { directory: string; install: () => Promise<Programs> };
  owner: OwnerId;
  version: string;
  log: Log;
  logLimits: LogLimits;
  readyMs: number;
  silenceMs: number;
}

type Connected = Extract<Found, { kind: "connected" }>;

/** After so many attempts it gives up. */
const MAX_ATTEMPTS = 6;

const MAX_KNOCKS = 3;

export const reachBySsh = async (
  reach: SshReach,
  how: Reaching,
): Promise<Reached> => {
  const { door, programs, log, silenceMs } = reach;
  const { build } = await programs.install();
  let retired = false;
  let isSilent = false;
  let found: Connected | null = null;
  const link = await attempts<Link>(
    MAX_ATTEMPTS,
    how.signal,
    async (attempt) => {
      const connected = await connect(reach, how, isSilent);
      found = connected;
      const opened = await open(reach, connected, how, attempt === 0);
      isSilent = opened === "silent";
      switch (opened) {
        case "silent":
          log.warn(
            { host: door.name },
            "agentctl on a host gave no sign of life; it is ended where it is frozen",
          );
          return "again";
        case "lost":
        case "incompatible":
          return "later";
        default: {
          if (retired || !isNewer(build, opened.hello.build)) return opened;
          retired = true;
          const facts = {
            host: door.name,
            build: opened.hello.build,
            own: build,
          };
          log.info(facts, "letting an older agentctl retire");
          return (await letRetire(opened)) ? "again" : opened;
        }
      }
    },
  );
  if (link === null)
    throw unavailable(
      `agentctl on the host ${hostWords(door)} was reached and lost again and again; agentctl/agentctl.log in its directory there says what it does`,
    );
  const { socket } = (found ?? {}) as Partial<Connected>;
  return reachedHost(
    {
      name: door.name,
      link,
      where: {
        runtime: KIND_SSH,
        url: `ssh://${door.address}${socket ?? ""}`,
        port: null,
      },
      dial: () => dial(reach, how.signal),
      silenceMs,
      log,
    },
    how,
  );
};

const open = async (
  { door, owner, version, log, readyMs, silenceMs }: SshReach,
  { stream, token }: Connected,
  { term, signal }: Reaching,
  isFirst: boolean,
): Promise<Link | "silent" | "lost" | "incompatible"> => {
  const letGo = (): void => void stream.destroy();
  if (signal.aborted) letGo();
  signal.addEventListener("abort", letGo);
  try {
    return await openLink(stream, {
      token,
      owner,
      term,
      build: version,
      log,
      deadlineMs: readyMs,
      silenceMs,
    });
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    // It goes when it has nobody to look after, so it is asked twice.
    if (error.code === "incompatible_protocol" && isFirst)
      return "incompatible";
    throw refusedHello(door, error, OTHER_RELEASE);
  } finally {
    signal.removeEventListener("abort", letGo);
  }
};

const OTHER_RELEASE =
  "Start the server of that release, or wait until its agents have ended: it goes with the last of them.";

/** Sends what is missing, and starts who is missing where somebody needs it. */
const connect = async (
  reach: SshReach,
  { isNeeded, signal }: Pick<Reaching, "isNeeded" | "signal">,
  isSilent: boolean,
): Promise<Connected> => {
  const { door, programs, owner, logLimits, readyMs, silenceMs, log } = reach;
  const own = await programs.install();
  const sent = new Set<string>();
  for (let knocks = 0; knocks < MAX_KNOCKS; knocks++) {
    const needed = isNeeded();
    const found = await knock(door, {
      programs: own,
      relay: [
        "--owner",
        owner,
        "--build",
        own.build,
        "--log-mb",
        `${logLimits.maxBytes / 1024 ** 2}`,
        "--log-files",
        `${logLimits.files}`,
        "--ready-ms",
        `${readyMs}`,
        ...(isSilent ? ["--silent", "--silence-ms", `${silenceMs}`] : []),
      ],
      isNeeded: needed,
      readyMs,
      signal,
    });
    switch (found.kind) {
      case "connected":
        return found;
      case "nobody":
        if (!needed) throw new NobodyThere();
        break;
      case "lacks":
        for (const name of found.names) {
          if (sent.has(name)) throw notKept(door, name);
          sent.add(name);
          log.info({ host: door.name, name }, "sending programs to a host");
          await sendPrograms(door, programs.directory, name, signal);
        }
    }
  }
  throw unavailable(
    `agentctl on the host ${hostWords(door)} could not be started`,
  );
};

/** Another try would send all of it again, and end as this one did. */
const notKept = (door: Door, name: string): RepriseError =>
  hostNotUsable(
    `The host ${hostWords(door)} was sent ${name}, and cannot run it. Check that programs may be run from ${door.directory}/programs there (a mount with noexec forbids it), and that nothing removes files from it; or name another \`directory\` in config.json.`,
  );

const dial = async (
  reach: SshReach,
  signal: AbortSignal,
): Promise<Dialled | null> => {
  try {
    return await connect(reach, { isNeeded: () => false, signal }, false);
  } catch (error) {
    if (error instanceof NobodyThere) return null;
    throw error;
  }
};
