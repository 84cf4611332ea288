/** ACP's error code for a session (or any other resource) that does not exist. */
export const RESOURCE_NOT_FOUND = -32002;
