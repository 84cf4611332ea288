/** ACP's error code for a session (or any other resource) that does not exist. */
export const RESOURCE_NOT_FOUND = -32002;

/** ACP's error code of an agent that nobody has logged in to. */
export const AUTH_REQUIRED = -32000;
