/** One look at a host: what it is, what it lacks, or the connection to its agentctl. */
import type { Duplex } from "node:stream";
import type { RepriseError } from "../../contract/problem/problem.ts";
import { within } from "../../kit/time/deadline.ts";
import {
  type HostId,
  hostNotUsable,
  hostWords,
} from "../hosts/host-problem.ts";
import { unavailable } from "../link/unavailable.ts";
import type { Programs } from "../standalone/programs.ts";
import { KNOCK, NEEDED } from "./scripts.ts";
import { shellCommand } from "./shell-words.ts";
import { noAnswer, sshProblem } from "./ssh-problem.ts";
import { SshSession } from "./ssh-session.ts";
import { RelayAnswer } from "./there/answer.ts";

export interface Door extends HostId {
  /** Of Reprise, on the host. */
  directory: string;
  /** For ssh, to run this there. */
  args: (command: string) => string[];
  env: Record<string, string>;
  /** How long it may take until a script of ours runs there. */
  dialMs: number;
}

export interface Knock {
  programs: Programs;
  /** For the relay. */
  relay: readonly string[];
  isNeeded: boolean;
  /** How long the relay may take to answer. */
  readyMs: number;
  signal: AbortSignal;
}

export type Found =
  | { kind: "nobody" }
  /** Names of directories of programs. */
  | { kind: "lacks"; names: string[] }
  | {
      kind: "connected";
      stream: Duplex;
      token: string;
      socket: string;
      /** What ssh says about it. */
      words: () => string;
    };

export const knock = async (
  door: Door,
  { programs, relay, isNeeded, readyMs, signal }: Knock,
): Promise<Found> => {
  const mode = isNeeded ? "need" : "look";
  const command = shellCommand(KNOCK, [
    door.directory,
    programs.runtime,
    programs.build,
    mode,
    ...relay,
    ...(isNeeded ? ["--needed"] : []),
  ]);
  return inSession(door, command, signal, async (session) => {
    await untilMark(door, session);
    const next = () => inTime(door, session, door.dialMs, () => session.line());
    checkMachine(door, await next());
    const state = await next();
    const [word, ...names] = (state ?? "").split(" ");
    switch (word) {
      case "nobody":
        return { kind: "nobody" };
      case "lacks":
        return { kind: "lacks", names: lacking(door, programs, names) };
      case "relays":
        return connected(door, session, readyMs);
      default:
        throw sshProblem(door, await session.ended());
    }
  });
};

/** Runs a command there for as long as it is used. It stays where its stream was taken. */
export const inSession = async <T>(
  door: Door,
  command: string,
  signal: AbortSignal,
  use: (session: SshSession) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted();
  const session = new SshSession(door.args(command), door.env);
  const abort = (): void => session.kill();
  signal.addEventListener("abort", abort);
  try {
    return await use(session);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
    session.release();
  }
};

/** Until our script says something. */
const untilMark = async (door: Door, session: SshSession): Promise<void> => {
  const isThere = await inTime(door, session, door.dialMs, () =>
    session.mark(),
  );
  if (!isThere) throw sshProblem(door, await session.ended());
};

const inTime = async <T>(
  door: Door,
  session: SshSession,
  ms: number,
  work: () => Promise<T>,
): Promise<T> => {
  const done = work();
  try {
    return await within("an answer of ssh", ms, done);
  } catch {
    session.kill();
    throw noAnswer(door, session.words);
  }
};

const connected = async (
  door: Door,
  session: SshSession,
  readyMs: number,
): Promise<Found> => {
  const line = await inTime(door, session, readyMs + door.dialMs, () =>
    session.line(),
  );
  if (line === null) throw sshProblem(door, await session.ended());
  const answer = answerIn(line);
  switch (answer?.kind) {
    case "connected": {
      const { token, socket } = answer;
      const words = (): string => session.words;
      return {
        kind: "connected",
        stream: session.stream(),
        token,
        socket,
        words,
      };
    }
    case "nobody":
      return { kind: "nobody" };
    case "failed":
      throw failedThere(door, answer);
    case undefined:
      throw hostNotUsable(
        `What answers on the host ${hostWords(door)} is no relay of Reprise. Remove the directory ${door.directory}/programs there, then try again.`,
      );
  }
};

/** What a host says is only text: it is sent nothing but what it was asked about. */
const lacking = (
  door: Door,
  { runtime, build }: Programs,
  names: readonly string[],
): string[] => {
  const ours = [runtime, build];
  if (names.length > 0 && names.every((name) => ours.includes(name)))
    return [...new Set(names)];
  throw hostNotUsable(
    `The host ${hostWords(door)} asks for something that does not belong to Reprise, and was sent nothing. See to it that nobody but you can change what a login runs there.`,
  );
};

const answerIn = (line: string): RelayAnswer | undefined => {
  try {
    return RelayAnswer.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};

const failedThere = (
  door: Door,
  { code, message }: { code: string; message: string },
): RepriseError => {
  if (code === "not_owner")
    return hostNotUsable(
      `The host ${hostWords(door)} belongs to another server. ${message}`,
    );
  const words = `On the host ${hostWords(door)}: ${message}`;
  return code === "agentctl_unavailable"
    ? unavailable(words)
    : hostNotUsable(words);
};

/** As `uname -sm` names ours. */
const ARCHITECTURES: Readonly<Record<string, readonly string[]>> = {
  x64: ["x86_64", "amd64"],
  arm64: ["aarch64", "arm64"],
};

const checkMachine = (door: Door, line: string | null): void => {
  const [word, ...rest] = (line ?? "").split(" ");
  if (word === "without")
    throw hostNotUsable(
      `The host ${hostWords(door)} has no ${rest.join(" ")} in the PATH that ssh gives there. Reprise needs sh, ${NEEDED.join(", ")}.`,
    );
  const [system = "", machine = ""] = rest;
  const isLike =
    system === "Linux" &&
    (ARCHITECTURES[process.arch] ?? [process.arch]).includes(machine);
  if (word === "on" && !isLike)
    throw hostNotUsable(
      `The host ${hostWords(door)} is ${system} on ${machine}, and this server is ${process.platform} on ${process.arch}. What runs there is a copy of what runs here, so both must be Linux of the same architecture. Run \`reprise agentctl --listen\` there instead.`,
    );
};
