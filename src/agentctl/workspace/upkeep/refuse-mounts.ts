import { realpath } from "node:fs/promises";
import { isInside } from "../../../kit/files/is-inside.ts";
import { LinkError } from "../../../contract/link-error.ts";
import { findMounts } from "../capture/pseudo-mounts.ts";

/** Refuses to remove directories in which something is mounted: all that is in it would be removed as well. */
export const refuseMounts = async (
  directories: readonly string[],
): Promise<void> => {
  const mounts = [...(await findMounts()).keys()];
  for (const directory of directories) {
    // Mounts are listed by their real paths.
    const real = await realpath(directory).catch(() => directory);
    const mount = mounts.find((each) => isInside(each, real));
    if (mount !== undefined)
      throw new LinkError(
        "workspace_mounted",
        `${mount} is a mount point, so ${directory} is not removed: unmount it first`,
      );
  }
};
