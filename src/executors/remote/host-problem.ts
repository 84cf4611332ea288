/** Why a host cannot be used now, each with what can be done about it. */
import type { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import { unavailable } from "../link/unavailable.ts";

/** As people know it: its name in `config.json`, and its address. */
export interface HostId {
  name: string;
  address: string;
}

const named = ({ name, address }: HostId): string => `${name} (${address})`;

const notUsable = (words: string, cause?: unknown): RepriseError =>
  new RepriseError(
    "host_not_usable",
    words,
    cause === undefined ? {} : { cause },
  );

/** A connection that could not be made. */
export const notConnected = (host: HostId, error: Error): RepriseError => {
  if (hasErrno(error, "ECONNREFUSED"))
    return unavailable(
      `Nobody listens on the host ${named(host)}. Start \`reprise agentctl --listen\` there; it is tried again by itself`,
      error,
    );
  if (hasErrno(error, "ENOTFOUND", "EAI_AGAIN"))
    return unavailable(
      `The name of the host ${named(host)} leads nowhere now. Check its address in config.json, and the network; it is tried again by itself`,
      error,
    );
  if (isNoTls(error))
    return notUsable(
      `What listens at ${named(host)} is no agentctl that speaks TLS 1.3. Check the address in config.json, and that \`reprise agentctl --listen\` runs there without --plain.`,
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
    `The host ${named(host)} cannot be reached. Check that it is up and that the network lets this server through; it is tried again by itself, and its agents go on meanwhile`,
    cause,
  );

export const wrongFingerprint = (
  host: HostId,
  found: string,
  expected: string,
): RepriseError =>
  new RepriseError(
    "wrong_fingerprint",
    `The host ${named(host)} shows the certificate ${found}, and config.json says ${expected}. Nothing was sent to it. If agentctl got a new home there, put the new fingerprint into config.json and start the server again; otherwise somebody stands in between.`,
  );

export const noToken = (
  host: HostId,
  path: string,
  why: string,
): RepriseError =>
  notUsable(
    `The token for the host ${named(host)} cannot be had from ${path}: ${why}. Copy the token file that \`reprise agentctl --listen\` names there to this path, with mode 0600.`,
  );

/** It let nobody in. */
export const notLetIn = (
  host: HostId,
  path: string,
  status: number | undefined,
): RepriseError =>
  status === 401
    ? notUsable(
        `agentctl on the host ${named(host)} does not accept the token in ${path}. Copy the token file that it names when it starts to this path.`,
      )
    : status === 503
      ? unavailable(
          `agentctl on the host ${named(host)} has too many connections. It is tried again by itself`,
        )
      : notUsable(
          `What listens at ${named(host)} answers with status ${status}, as no agentctl does. Check the address in config.json.`,
        );

/** What it refused `hello` with. A term that was superseded is not the host's doing. */
export const refusedHello = (host: HostId, error: LinkError): Error => {
  switch (error.code) {
    case "incompatible_protocol":
      return notUsable(
        `agentctl on the host ${named(host)} is of another release, and this server cannot speak with it: ${error.message}. Install the same release there and start it again; its agents go on.`,
        error,
      );
    case "not_owner":
      return notUsable(
        `The host ${named(host)} belongs to another server. ${error.message}`,
        error,
      );
    default:
      return error;
  }
};

export const notForServers = (host: HostId): RepriseError =>
  notUsable(
    `agentctl on the host ${named(host)} does not say that it serves other hosts. Start it there with \`reprise agentctl --listen\`, of this release.`,
  );

export const notConfigured = (
  name: string,
  known: readonly string[],
): RepriseError =>
  notUsable(
    `There is no host ${name} in \`executors\` of config.json. ${known.length === 0 ? "None is named there" : `Known are: ${known.join(", ")}`}. Add it and start the server again.`,
  );
