/** How programs in a sandbox whose network is a list get at the proxy outside. */
import { join } from "node:path";
import { ourProgram } from "../../agents/launch/our-program.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { isNamed } from "../proxy/host-list.ts";
import { PROXY_SOCKET } from "../proxy/proxies.ts";
import { PROXY_DIRECTORY } from "./layout.ts";

/** Nothing else listens in a network of its own. */
const PORT = 3128;

/** Node needs to be told that it has a proxy. What runs inside is reached without it, unless the list names what runs outside by that name. */
export const proxyVariables = (
  hosts: readonly string[],
): Record<string, string> => {
  const proxy = `http://127.0.0.1:${PORT}`;
  const direct = ["127.0.0.1", "localhost"]
    .filter((name) => !isNamed(hosts, name))
    .join();
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: direct,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: "1",
  };
};

/** The program that leads there. */
export const relayProgram = ({
  node,
  programs,
}: Pick<Daemon, "node" | "programs">): string[] => {
  const relay = ourProgram(
    { programs },
    "sandbox-relay",
    "../../programs/relay/main.ts",
  );
  if (relay === null)
    throw new LinkError(
      "sandbox_unavailable",
      "The program that leads to the hosts of a list is not installed here. Start the server again, so that it is put there.",
    );
  return [node, relay];
};

/** What begins a command line in the sandbox: the relay is there before the program is. */
export const relayPrefix = (program: readonly string[]): string[] => {
  const socket = join(PROXY_DIRECTORY, PROXY_SOCKET);
  return ["/bin/sh", "-c", BEGIN, "reprise", ...program, `${PORT}`, socket];
};

/**
 * `sh -c BEGIN reprise NODE RELAY PORT SOCKET COMMAND ARG…`. The relay is nobody's child: a program does not come across one that it did
 * not start. Where it cannot be started the program runs all the same, and reaches nothing.
 */
const BEGIN = `
PATH="$PATH:/usr/bin:/bin" mkfifo -m 600 /run/ready || exit 1
( "$1" "$2" "$3" "$4" </dev/null >/run/ready 2>/dev/null & )
read -r _ </run/ready
PATH="$PATH:/usr/bin:/bin" rm -f /run/ready
shift 4
exec "$@"
`;
