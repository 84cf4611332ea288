/** The sandbox of a new session, as it is said on the command line. */
import type { CreateSessionInput } from "../../../contract/api/request.ts";
import { UsageError } from "../../parsing/usage-error.ts";

export const sandboxOptions = {
  sandbox: {
    kind: "flag",
    help: "run the agent, and commands and shells of the session, in a sandbox: only its directory can be written, and your home cannot be read",
  },
  network: {
    kind: "text",
    value: "N",
    choices: ["on", "off", "list"],
    help: "with --sandbox: what network there is in it: the machine's, none, or the hosts of --allow-host; default on",
  },
  "allow-host": {
    kind: "list",
    value: "NAME",
    help: 'with --network list: a host that HTTP and HTTPS go to: NAME, "*.NAME", with :PORT where that is not 80 or 443; may be repeated',
  },
} as const;

export const sandboxIn = ({
  sandbox,
  network,
  "allow-host": hosts,
}: {
  sandbox: boolean;
  network: "on" | "off" | "list" | undefined;
  "allow-host": readonly string[];
}): Pick<CreateSessionInput, "sandbox"> => {
  if (!sandbox && (network !== undefined || hosts.length > 0))
    throw new UsageError(
      "--network and --allow-host are those of a sandbox: give --sandbox too.",
    );
  if ((network === "list") !== hosts.length > 0)
    throw new UsageError("Give --network list and --allow-host together.");
  if (!sandbox) return {};
  if (hosts.length > 0)
    return { sandbox: { network: "list", hosts: [...hosts] } };
  return { sandbox: network === undefined ? true : { network } };
};
