/** Where something may be mounted in a workspace. Nobody else uses this name there. */
export const MOUNT_POINT = "mounted";
