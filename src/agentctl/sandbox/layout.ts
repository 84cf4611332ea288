/** Of what a sandbox is built, as arguments of bubblewrap. Nothing is in it that is not named here. */
import { join } from "node:path";
import type { Sandbox } from "../../contract/agent/sandbox.ts";
import { apartArgs } from "../../kit/processes/bubblewrap.ts";

export interface Layout {
  sandbox: Sandbox;
  uid: number | undefined;
  /** What the machine's own programs need, at the same paths: a link leads where it leads outside. */
  system: readonly { path: string; link: string | null }[];
  /** Directories that are empty in it, and gone with it: homes. */
  empty: readonly string[];
  /** Holds the socket of the proxy, where the network is a list. */
  proxy: string | null;
  /** Files and directories that can be read. */
  readable: readonly string[];
  /** Those that can be written, from where they lie outside to where they are inside. */
  writable: readonly { from: string; to: string }[];
  cwd: string;
  /** Where the program begins: there, or below. */
  within: string;
}

/** Where the socket of the proxy is seen in a sandbox. */
export const PROXY_DIRECTORY = "/run/reprise";

/** Later ones lie over earlier ones: the directory that is worked in comes last. */
export const sandboxArgs = (layout: Layout): string[] => {
  const {
    sandbox,
    proxy,
    uid,
    system,
    empty,
    readable,
    writable,
    cwd,
    within,
  } = layout;
  return [
    ...apartArgs(uid),
    ...(sandbox.network === "on" ? [] : ["--unshare-net"]),
    ...system.flatMap(({ path, link }) =>
      link === null ? ["--ro-bind", path, path] : ["--symlink", link, path],
    ),
    "--proc",
    "/proc",
    // The superuser needs no capability to change the machine's settings.
    ...["/proc/sys", "/proc/sysrq-trigger"].flatMap((path) => [
      "--ro-bind-try",
      path,
      path,
    ]),
    "--dev",
    "/dev",
    ...["/tmp", "/run", "/var/tmp"].flatMap(emptyArgs),
    // One that lies in another comes behind it.
    ...[...new Set(empty)].toSorted().flatMap((path) => ["--tmpfs", path]),
    ...(proxy === null ? [] : ["--ro-bind", proxy, PROXY_DIRECTORY]),
    ...readable.flatMap((path) => ["--ro-bind", path, path]),
    ...writable.flatMap(({ from, to }) => ["--bind", from, to]),
    "--bind",
    cwd,
    cwd,
    // What was made on the way to all of these is no place to write to.
    "--remount-ro",
    "/",
    "--chdir",
    within,
  ];
};

const emptyArgs = (path: string): string[] => [
  "--perms",
  "1777",
  "--tmpfs",
  path,
];

/** Where a sandbox keeps what can be made again, below the home directory: agents unpack themselves there. */
export const cacheIn = (home: string): string => join(home, ".cache");
