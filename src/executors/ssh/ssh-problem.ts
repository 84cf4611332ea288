/** What it means that ssh ended before a host had answered, from what it said. */
import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import {
  type HostId,
  hostNotUsable,
  hostWords,
} from "../hosts/host-problem.ts";
import { unavailable } from "../link/unavailable.ts";
import type { SshEnd } from "./ssh-session.ts";

/** Of ssh itself; other codes are those of what ran on the host. */
const SSH_FAILED = 255;

export const sshProblem = (
  host: HostId,
  { code, words, error }: SshEnd,
): RepriseError => {
  if (hasErrno(error, "ENOENT"))
    return hostNotUsable(
      `There is no \`ssh\` in the PATH of this server, so the host ${hostWords(host)} cannot be reached. Install OpenSSH's client here.`,
      error,
    );
  const said = wordsOf(words);
  if (code !== null && code !== SSH_FAILED)
    return hostNotUsable(
      `The host ${hostWords(host)} cannot run what Reprise needs there: it ended with code ${code}${said}. Check that the user there has a shell, room and the right to write and run files in the directory that config.json names.`,
    );
  for (const [pattern, problem] of KNOWN)
    if (pattern.test(words)) return problem(host, said);
  return unreachableBySsh(host, said);
};

/** It gave no answer in time. */
export const noAnswer = (host: HostId, words: string): RepriseError =>
  unreachableBySsh(host, wordsOf(words));

const unreachableBySsh = (host: HostId, said: string): RepriseError =>
  unavailable(
    `The host ${hostWords(host)} cannot be reached by ssh${said}. Check that it is up and that the network lets this server through; it is tried again by itself, and its agents go on meanwhile`,
  );

const KNOWN: readonly (readonly [
  RegExp,
  (host: HostId, said: string) => RepriseError,
])[] = [
  [
    /IDENTIFICATION HAS CHANGED|POSSIBLE DNS SPOOFING|host key for .* has changed|REVOKED HOST KEY/i,
    (host) =>
      new RepriseError(
        "wrong_fingerprint",
        `The host ${hostWords(host)} shows another key than the one that ssh knows for it. Nothing was sent to it. If it was set up anew, remove the old key with \`ssh-keygen -R\` and connect once with \`ssh\`; otherwise somebody stands in between.`,
      ),
  ],
  [
    /host key is known for|Host key verification failed/i,
    (host) =>
      hostNotUsable(
        `ssh does not know the key of the host ${hostWords(host)}. Connect once with \`ssh ${host.address}\` as the user of this server, compare the fingerprint, and answer yes; it is tried again by itself.`,
      ),
  ],
  [
    /configuration option|Can't open user config file|Bad owner or permissions on|terminating, \d+ bad/i,
    (host, said) =>
      hostNotUsable(
        `The configuration of ssh for the host ${hostWords(host)} cannot be used${said}. Correct it, or name another one as \`config_file\` in config.json.`,
      ),
  ],
  [
    /Permission denied|Too many authentication failures|no more authentication methods/i,
    (host, said) =>
      hostNotUsable(
        `The host ${hostWords(host)} does not let this server log in${said}. ssh is not asked for passwords: see to it that \`ssh -o BatchMode=yes ${host.address} true\` works for the user of this server, with a key that needs no passphrase or is in an agent that the server knows by SSH_AUTH_SOCK.`,
      ),
  ],
  [
    /Could not resolve hostname/i,
    (host) =>
      unavailable(
        `The name of the host ${hostWords(host)} cannot be resolved. Check \`destination\` in config.json, the configuration of ssh, and the network; it is tried again by itself`,
      ),
  ],
];

/** The last that was said, on one line. */
const wordsOf = (words: string): string => {
  const lines = words
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(/\p{Cc}/gu, " ").trim())
    .filter((line) => line !== "");
  const last = lines.slice(-2).join(" ").replace(/\.$/, "").slice(0, 500);
  return last === "" ? "" : `: ${last}`;
};
