/** What executors are called. This is the only place that knows their other names. */
import * as z from "zod";
import { keysOf } from "./keys-of.ts";

/** Our names, and the runtime names of programs that know executors by other ones (EXE-40). */
const NAMES = {
  standalone: "standalone",
  remote: "remote",
  ssh: "ssh",
  docker: "docker",
  local: "standalone",
  local_standalone: "standalone",
  local_docker: "docker",
  remote_docker: "docker",
} as const;

/** An executor by our name for it. */
export const ExecutorKind = z.enum(["standalone", "remote", "ssh", "docker"]);
export type ExecutorKind = z.infer<typeof ExecutorKind>;

/** An executor as anybody may call it; what is read is our name for it. */
export const ExecutorName = z
  .enum(keysOf(NAMES))
  .transform((name): ExecutorKind => NAMES[name]);
export type ExecutorName = z.input<typeof ExecutorName>;

/** Where sessions are to run, as a person or a program said it. */
export interface ChosenPlace {
  executor?: ExecutorKind;
  host?: string;
  image?: string;
}

/** Whether a request names another host. Paths there are what they are there. */
export const isOnHost = ({
  executor,
  host,
}: {
  executor?: ExecutorName | undefined;
  host?: string | undefined;
}): boolean =>
  host !== undefined || executor === "remote" || executor === "ssh";
