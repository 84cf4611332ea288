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
    choices: ["on", "off"],
    help: "with --sandbox: what network there is in it; default on",
  },
} as const;

export const sandboxIn = ({
  sandbox,
  network,
}: {
  sandbox: boolean;
  network: "on" | "off" | undefined;
}): Pick<CreateSessionInput, "sandbox"> => {
  if (!sandbox && network !== undefined)
    throw new UsageError("--network is that of a sandbox: give --sandbox too.");
  if (!sandbox) return {};
  return { sandbox: network === undefined ? true : { network } };
};
