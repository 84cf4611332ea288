/** Why a host cannot be used now, each with what can be done about it. */
import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import {
  type HostId,
  hostNotUsable,
  hostWords,
} from "../hosts/host-problem.ts";
import { unavailable } from "../link/unavailable.ts";

/** A connection that could not be made. */
export const notConnected = (host: HostId, error: Error): RepriseError => {
  if (hasErrno(error, "ECONNREFUSED"))
    return unavailable(
      `Nobody listens on the host ${hostWords(host)}. Start \`reprise agentctl --listen\` there; it is tried again by itself`,
      error,
    );
  if (hasErrno(error, "ENOTFOUND", "EAI_AGAIN"))
    return unavailable(
      `The name of the host ${hostWords(host)} leads nowhere now. Check its address in config.json, and the network; it is tried again by itself`,
      error,
    );
  if (isNoTls(error))
    return hostNotUsable(
      `What listens at ${hostWords(host)} is no agentctl that speaks TLS 1.3. Check the address in config.json, and that \`reprise agentctl --listen\` runs there without --plain.`,
      error,
    );
  return unreachable(host, error);
};

/** Not a failure of the network, but of what was said over it. */
const isNoTls = (error: Error): boolean =>
  "code" in error &&
  (error.code === "EPROTO" || String(error.code).startsWith("ERR_SSL"));

export const unreachable = (host: HostId, cause?: unknown): RepriseError =>
  unavailable(
    `The host ${hostWords(host)} cannot be reached. Check that it is up and that the network lets this server through; it is tried again by itself, and its agents go on meanwhile`,
    cause,
  );

export const wrongFingerprint = (
  host: HostId,
  found: string,
  expected: string,
): RepriseError =>
  new RepriseError(
    "wrong_fingerprint",
    `The host ${hostWords(host)} shows the certificate ${found}, and config.json says ${expected}. Nothing was sent to it. If agentctl got a new home there, put the new fingerprint into config.json and start the server again; otherwise somebody stands in between.`,
  );

export const noToken = (
  host: HostId,
  path: string,
  why: string,
): RepriseError =>
  hostNotUsable(
    `The token for the host ${hostWords(host)} cannot be had from ${path}: ${why}. Copy the token file that \`reprise agentctl --listen\` names there to this path, with mode 0600.`,
  );

/** It let nobody in. */
export const notLetIn = (
  host: HostId,
  path: string,
  status: number | undefined,
): RepriseError =>
  status === 401
    ? hostNotUsable(
        `agentctl on the host ${hostWords(host)} does not accept the token in ${path}. Copy the token file that it names when it starts to this path.`,
      )
    : status === 503
      ? unavailable(
          `agentctl on the host ${hostWords(host)} has too many connections. It is tried again by itself`,
        )
      : hostNotUsable(
          `What listens at ${hostWords(host)} answers with status ${status}, as no agentctl does. Check the address in config.json.`,
        );

/** What to do about an agentctl of another release. */
export const OTHER_RELEASE =
  "Install the same release there and start it again; its agents go on.";

export const notForServers = (host: HostId): RepriseError =>
  hostNotUsable(
    `agentctl on the host ${hostWords(host)} does not say that it serves other hosts. Start it there with \`reprise agentctl --listen\`, of this release.`,
  );
