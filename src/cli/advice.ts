import { ServerUnreachable } from "../client/client.ts";
import { RepriseError } from "../contract/problem.ts";
import { DEFAULT_URL, readServerFile } from "./connection.ts";
import { homeOf } from "./home.ts";
import { waysOut } from "./text/correct.ts";
import type { World } from "./world.ts";

/** What to do about an error, beyond what it says itself. */
export const adviceFor = async (
  error: unknown,
  world: Pick<World, "env" | "cwd">,
): Promise<string | null> => {
  if (error instanceof ServerUnreachable) return "Start it with `reprise up`.";
  if (error instanceof RepriseError && error.code === "unauthorized")
    return aboutTheToken(world);
  if (error instanceof RepriseError && error.restriction !== undefined)
    return `Say it again with one of: ${waysOut(error.restriction).join(" · ")}`;
  if (error instanceof RepriseError && error.code === "checkpoint_damaged")
    return "`reprise gc --verify` reads everything that is stored and names the checkpoints that lost something.";
  if (error instanceof RepriseError && error.code === "session_damaged")
    return "Go on from an earlier turn with `reprise session fork ID TURN`, keep what can be read with `reprise session export ID FILE`, or delete it with `reprise session delete ID`. `reprise session recover ID` reads it once more.";
  return null;
};

export const aboutTheToken = async (
  world: Pick<World, "env" | "cwd">,
): Promise<string> =>
  (await isOfAnotherHome(world))
    ? `The server at ${DEFAULT_URL} belongs to another home than ${homeOf(world)}, which has no server. Set REPRISE_HOME to that server's home, or start one for this home with \`reprise up --port 0\`.`
    : "Give the server's token in REPRISE_TOKEN, or set REPRISE_HOME to the server's home.";

/** Nobody named a server and this home has none: whoever answered at the usual address is somebody else's. */
const isOfAnotherHome = async (
  world: Pick<World, "env" | "cwd">,
): Promise<boolean> =>
  !isSet(world.env["REPRISE_URL"]) &&
  !isSet(world.env["REPRISE_TOKEN"]) &&
  (await readServerFile(homeOf(world))) === null;

const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== "";
