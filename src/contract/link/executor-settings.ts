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

/** By the names that sessions are started with. */
export const ExecutorSettings = z
  .record(HostName, RemoteSettings)
  .refine((hosts) => Object.keys(hosts).length <= 200, "at most 200 hosts");
export type ExecutorSettings = z.infer<typeof ExecutorSettings>;
