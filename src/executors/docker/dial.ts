import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Socket } from "node:net";
import { hasErrno } from "../../kit/errno.ts";
import { connected } from "../standalone/daemon.ts";
import { notUsable } from "./not-usable.ts";

/** Of Linux; Node has no name for it. */
const O_PATH = 0o10000000;

/**
 * A connection to the socket that a container made; null when nobody listens. The container can put anything in its place:
 * what is opened here is looked at and then connected to, so a link is not followed. A path may have any length.
 */
export const dialSocket = async (path: string): Promise<Socket | null> => {
  try {
    await using socket = await open(path, O_PATH | constants.O_NOFOLLOW);
    if (!(await socket.stat()).isSocket())
      throw notUsable(
        `${path} is not a socket: something in the container has replaced it`,
      );
    return await connected(`/proc/self/fd/${socket.fd}`);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};
