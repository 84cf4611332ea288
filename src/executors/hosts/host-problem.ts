/** What any host may say that keeps it from being used, whichever way it is reached. */
import type { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";

/** As people know it: its name in `config.json`, and where that leads. */
export interface HostId {
  name: string;
  address: string;
}

export const hostWords = ({ name, address }: HostId): string =>
  `${name} (${address})`;

export const hostNotUsable = (words: string, cause?: unknown): RepriseError =>
  new RepriseError(
    "host_not_usable",
    words,
    cause === undefined ? {} : { cause },
  );

/** What it refused `hello` with. A term that was superseded is not the host's doing. */
export const refusedHello = (
  host: HostId,
  error: LinkError,
  /** What to do about another release. */
  advice: string,
): Error => {
  switch (error.code) {
    case "incompatible_protocol":
      return hostNotUsable(
        `agentctl on the host ${hostWords(host)} is of another release, and this server cannot speak with it: ${error.message}. ${advice}`,
        error,
      );
    case "not_owner":
      return hostNotUsable(
        `The host ${hostWords(host)} belongs to another server. ${error.message}`,
        error,
      );
    default:
      return error;
  }
};

export const notConfigured = (
  name: string,
  known: readonly string[],
): RepriseError =>
  hostNotUsable(
    `There is no host ${name} in \`executors\` of config.json. ${known.length === 0 ? "None is named there" : `Known are: ${known.join(", ")}`}. Add it and start the server again.`,
  );
