/** Puts a program into the sandbox of its session: it is made anew for every one, and left with the last of its processes. */
import { mkdir, realpath } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import type { Agent } from "../../agents/agent/agent.ts";
import { rootsIn } from "../../agents/launch/private-home.ts";
import { fileIn } from "../../agents/state/agent-home.ts";
import type { Sandbox } from "../../contract/agent/sandbox.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { isInside } from "../../kit/files/is-inside.ts";
import {
  findBubblewrap,
  whyNoSandbox,
  whyNoSandboxes,
} from "../../kit/processes/bubblewrap.ts";
import { homeOf } from "../daemon/agent-where.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { cacheIn, type Layout, sandboxArgs } from "./layout.ts";
import { proxyVariables, relayPrefix, relayProgram } from "./relay.ts";
import { existing, findPrograms, findSystem, findTools } from "./machine.ts";

export interface Inside {
  /** Of the execution, the command or the shell: its proxy is known by that. */
  id: string;
  /** Hears of hosts that are not let through. */
  tell?: (text: string) => void;
  sandbox: Sandbox;
  session_id: SessionId;
  /** Whose own home is in it; none for a shell. */
  agent?: Pick<Agent, "home" | "login"> | undefined;
  cwd: string;
  /** Where the program begins, where that is below. */
  within?: string;
  env: Readonly<Record<string, string>>;
  /** The variables that it was given. */
  given: Readonly<Record<string, string>>;
  /** Where the person's own login to the agent is. */
  person?: Readonly<Record<string, string>>;
  /** What is started; nothing of it is shown where a command of the session is. */
  argv: readonly string[];
  /** What only this program may read besides. */
  files?: readonly string[];
}

/** What begins a command line that runs in the sandbox. Refused with `sandbox_unavailable`, and nothing was started. */
export const sandboxPrefix = async (
  daemon: Daemon,
  inside: Inside,
): Promise<string[]> => {
  const found = await findBubblewrap(process.env);
  if ("why" in found) throw unavailable(found.why);
  const { sandbox, id, tell } = inside;
  const isList = sandbox.network === "list";
  const relay = isList ? relayProgram(daemon) : [];
  const proxy = isList
    ? await daemon.proxies.open(id, sandbox.hosts ?? [], tell)
    : null;
  const layout = await layoutOf(daemon, inside, { proxy, relay });
  const args = sandboxArgs(layout);
  const why = await whyNoSandbox(found.program, args);
  if (why !== null) throw unavailable(why);
  const start = isList ? relayPrefix(relay) : [];
  const loader = Object.entries(inside.given)
    .filter(([name]) => LOADER.test(name))
    .flatMap(([name, value]) => ["--setenv", name, value]);
  return [found.program, ...args, ...loader, "--", ...start];
};

/** Whether one could be made, round this directory where there is one yet. */
export const whyNotSandboxed = async (
  daemon: Pick<Daemon, "directory">,
  cwd: string | null,
): Promise<string | null> => {
  const holds = cwd === null ? null : await whatItHolds(daemon, cwd, homedir());
  return holds ?? whyNoSandboxes(process.env);
};

/** Variables that lead to what is not there. */
const OUTSIDE = /^(TMPDIR|TMP|TEMP|XDG_RUNTIME_DIR|SSH_AUTH_SOCK|DBUS_.*)$/;

/** By these the loader and the C library of a program run what others wrote. */
const LOADER = /^(LD_.*|GCONV_PATH|LOCPATH|NLSPATH|BASH_ENV|ENV)$/;

/** What the programs begin with that make a sandbox; `LOADER` is said to those inside of it alone. */
export const environmentInside = (
  env: Readonly<Record<string, string>>,
  { network, hosts = [] }: Sandbox,
): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !OUTSIDE.test(name) && !LOADER.test(name),
    ),
  ),
  ...(network === "list" && proxyVariables(hosts)),
});

const layoutOf = async (
  daemon: Daemon,
  inside: Inside,
  { proxy, relay }: { proxy: string | null; relay: readonly string[] },
): Promise<Layout> => {
  const { sandbox, cwd, env, argv, files = [] } = inside;
  const home = env["HOME"] ?? homedir();
  const holds = await whatItHolds(daemon, cwd, home);
  if (holds !== null) throw unavailable(holds);
  const people = await peopleOf(home);
  const reprise = dirname(daemon.directory);
  const kept = { people, reprise, programs: daemon.programs, cwd };
  return {
    sandbox,
    proxy,
    uid: process.getuid?.(),
    system: await findSystem(),
    empty: [...people, reprise],
    readable: [
      ...(await findTools(env["PATH"] ?? "", kept)),
      ...(await findPrograms(relay, kept)),
      ...(await findPrograms(argv, kept)),
      ...files,
    ],
    writable: await homesOf(daemon, inside, home),
    cwd,
    within: inside.within ?? cwd,
  };
};

/** As they are named, and where they really are. A container may have a user whose home is the root directory: that is no home to be kept. */
const peopleOf = async (home: string): Promise<string[]> => {
  const named = [home, homedir(), registeredHome() ?? home];
  const real = await Promise.all(
    named.map((each) => realpath(each).catch(() => each)),
  );
  return [...new Set([...named, ...real])].filter((each) => each !== "/");
};

const registeredHome = (): string | null => {
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
};

/** With all that is in them. */
const VIRTUAL = ["/proc", "/dev", "/sys", "/run"];
/** Directories of somebody may lie in these. */
const OF_MACHINE = new Set(
  "/etc /usr /boot /opt /srv /home /var /var/lib /var/tmp /tmp".split(" "),
);

const whatItHolds = async (
  { directory }: Pick<Daemon, "directory">,
  cwd: string,
  home: string,
): Promise<string | null> => {
  const real = await realpath(cwd).catch(() => cwd);
  if (OF_MACHINE.has(real) || VIRTUAL.some((each) => isInside(real, each)))
    return `The directory ${cwd} belongs to the machine, and a sandbox would let programs change it. Work in a directory of your own.`;
  const held = [dirname(directory), ...(await peopleOf(home))].find((each) =>
    isInside(each, real),
  );
  return held === undefined
    ? null
    : `A sandbox keeps ${held} out of reach, and ${cwd} holds it. Work in a directory below, or in another one.`;
};

/** What the agent keeps for itself, its login and a cache: each where it is looked for. */
const homesOf = async (
  daemon: Pick<Daemon, "directory">,
  { agent, session_id, person }: Inside,
  home: string,
): Promise<Layout["writable"]> => {
  if (agent === undefined) return [];
  const own = homeOf(daemon, session_id);
  const cache = join(own, "cache");
  const roots =
    agent.home === undefined ? [] : Object.values(rootsIn(agent.home, own));
  for (const directory of [cache, ...roots])
    await mkdir(directory, { recursive: true, mode: 0o700 });
  const { home: agentHome, login } = agent;
  const logins =
    agentHome === undefined
      ? []
      : (login?.files ?? []).map((file) =>
          fileIn(agentHome, file, { home, env: { ...person } }),
        );
  return [
    { from: cache, to: cacheIn(home) },
    ...[...roots, ...(await existing(logins))].map((path) => ({
      from: path,
      to: path,
    })),
  ];
};

const unavailable = (why: string): LinkError =>
  new LinkError("sandbox_unavailable", why);
