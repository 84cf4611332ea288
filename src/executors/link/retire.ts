import { LinkError } from "../../contract/link/link-error.ts";
import type { Link } from "./link.ts";

/** Lets an agentctl of an older build make room for ours. False when it does not know how: then it stays. */
export const letRetire = async (link: Link): Promise<boolean> => {
  try {
    await link.call("retire", {});
  } catch (error) {
    // That it is gone before it answers is what was asked for.
    return !(error instanceof LinkError);
  }
  await link.close();
  return true;
};
