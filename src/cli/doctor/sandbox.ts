import { whyNoSandboxes } from "../../kit/processes/bubblewrap.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { type Finding, ok } from "./check.ts";

/** One is made, and left again. Nobody needs sandboxes who does not ask for one. */
export const checkSandbox = async (
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> => {
  const why = await whyNoSandboxes(env);
  return ok(
    "sandbox",
    why === null ? "sandboxes can be made" : oneLine(`none: ${why}`),
  );
};
