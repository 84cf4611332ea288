/** What an agentctl says that listens on the network: where it is, how it is known, and what to tell a server about it. */
import { isIP } from "node:net";
import {
  addressText,
  type HostAndPort,
  isLoopback,
} from "../contract/link/network-address.ts";

export interface Reachable {
  /** Where it listens. */
  bound: HostAndPort;
  /** Null without TLS. */
  fingerprint: string | null;
  tokenFile: string;
  home: string;
  /** Of this machine. */
  hostname: string;
}

/** For programs: one line. */
export const addressJson = (it: Reachable): string => {
  const { fingerprint, tokenFile, home } = it;
  const address = addressText(toDial(it));
  return `${JSON.stringify({ ready: true, address, fingerprint, token_file: tokenFile, home })}\n`;
};

export const addressWords = (it: Reachable): string => {
  const { bound, fingerprint, tokenFile, home } = it;
  const isHere = isLoopback(bound.host);
  const name = nameOf(it);
  const entry = {
    kind: "remote",
    address: addressText(toDial(it)),
    ...(fingerprint !== null && { fingerprint }),
    token_file: isHere ? tokenFile : `${name}.token`,
  };
  const config = JSON.stringify({ executors: { [name]: entry } }, null, 2);
  const copy = isHere
    ? ""
    : `Copy the token file to the machine of the server, as ${name}.token in the server's home, readable by its user alone (chmod 600).\n`;
  return `agentctl listens on ${addressText(bound)}${fingerprint === null ? ", without TLS" : ""}

  fingerprint  ${fingerprint ?? "none"}
  token file   ${tokenFile}
  home         ${home}

${copy}Put this into config.json in the server's home:

${config}

The first server that connects owns this home. Ctrl-C or SIGTERM ends agentctl; agents go on, and the next agentctl takes them over.
`;
};

/** All addresses of a machine are none that can be dialled. */
const toDial = ({
  bound,
  hostname,
}: Pick<Reachable, "bound" | "hostname">): HostAndPort =>
  bound.host === "0.0.0.0" || bound.host === "::"
    ? { ...bound, host: hostname }
    : bound;

/** How a server may call the machine. */
const nameOf = (it: Pick<Reachable, "bound" | "hostname">): string => {
  const { host } = toDial(it);
  const isName = isIP(host) === 0 && host !== "localhost";
  const [first = ""] = (isName ? host : it.hostname).split(".");
  const name = first.toLowerCase().replaceAll(/[^a-z0-9-]/g, "-");
  return /^[a-z0-9]/.test(name) ? name.slice(0, 63) : "remote-host";
};
