/** `executors` of `config.json`: hosts on which agents can run. */
import * as z from "zod";
import { KIND_REMOTE } from "../base/place-key.ts";
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
  .record(HostName, RemoteSettings)
  .refine((hosts) => Object.keys(hosts).length <= 200, "at most 200 hosts");
export type ExecutorSettings = z.infer<typeof ExecutorSettings>;
