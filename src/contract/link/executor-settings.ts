/** `executors` of `config.json`: hosts on which agents can run. */
import * as z from "zod";
import { KIND_REMOTE, KIND_SSH } from "../base/place-key.ts";
import {
  Fingerprint,
  isLoopback,
  NetworkAddress,
  parseAddress,
} from "./network-address.ts";

export const HostName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
    "must consist of letters, digits, ., - and _",
  );

export const RemoteSettings = z
  .strictObject({
    kind: z.literal(KIND_REMOTE),
    address: NetworkAddress,
    /** Of the certificate of its agentctl. Without one the connection is not encrypted, which only stays on this machine. */
    fingerprint: Fingerprint.optional(),
    /** In the home, unless the path is absolute. */
    token_file: z.string().min(1).max(4096),
  })
  .refine(
    ({ address, fingerprint }) =>
      fingerprint !== undefined ||
      isLoopback(parseAddress(address)?.host ?? ""),
    {
      path: ["fingerprint"],
      message:
        "is needed: without it only an address of this machine may be used. `reprise agentctl --listen` prints it",
    },
  );
export type RemoteSettings = z.infer<typeof RemoteSettings>;

/** What `ssh` connects to. It must not be taken for an option. */
const SshDestination = z
  .string()
  .max(300)
  .regex(
    /^(?:[A-Za-z0-9_.+][A-Za-z0-9_.+-]*@)?[A-Za-z0-9_.:[][A-Za-z0-9_.:%\]-]*$/,
    "must be USER@HOST, HOST or an alias of the configuration of ssh, and must not begin with -",
  );

/** What the shells of all hosts read in the same way between single quotes, and loaders in a list of directories. */
const SshDirectory = z
  .string()
  .max(300)
  .regex(
    /^(?:~\/|\/)[^\p{Cc}'"\\!:;$]+$/u,
    "must begin with / or ~/, without quotes, backslashes and any of ! : ; $",
  );

export const SshSettings = z.strictObject({
  kind: z.literal(KIND_SSH),
  destination: SshDestination,
  /** Where Reprise has its files on the host; in a directory with the id of the home unless it is said. */
  directory: SshDirectory.optional(),
  port: z.int().min(1).max(65_535).optional(),
  /** Of ssh, instead of the person's; in the home, unless the path is absolute. */
  config_file: z.string().min(1).max(4096).optional(),
});
export type SshSettings = z.infer<typeof SshSettings>;

/** `docker` of `config.json`: containers in which agents can run. */
export const DockerConfig = z.strictObject({
  /** Where the engine listens. */
  engine: z.string().min(1).max(4096).default("unix:///var/run/docker.sock"),
  /** For sessions that name none. */
  image: z.string().min(1).max(500).optional(),
  /** A network of the engine; its default one where none is named. */
  network: z.string().min(1).max(200).optional(),
  memory_mb: z.int().min(64).optional(),
  cpus: z.number().positive().optional(),
  /** How many processes there may be in a container. */
  pids: z.int().min(64).default(1024),
  /** Whether agents may write to the root of their container. */
  writable_root: z.boolean().default(false),
});
export type DockerConfig = z.infer<typeof DockerConfig>;

/** By the names that sessions are started with. */
export const ExecutorSettings = z
  .record(HostName, z.discriminatedUnion("kind", [RemoteSettings, SshSettings]))
  .refine((hosts) => Object.keys(hosts).length <= 200, "at most 200 hosts");
export type ExecutorSettings = z.infer<typeof ExecutorSettings>;

type HostSettings = ExecutorSettings[string];

/** Those of one kind. */
export const hostsOfKind = <K extends HostSettings["kind"]>(
  hosts: ExecutorSettings,
  kind: K,
): Record<string, Extract<HostSettings, { kind: K }>> => {
  const isOfKind = (
    entry: [string, HostSettings],
  ): entry is [string, Extract<HostSettings, { kind: K }>] =>
    entry[1].kind === kind;
  return Object.fromEntries(Object.entries(hosts).filter(isOfKind));
};
