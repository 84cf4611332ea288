/**
 * An environment for programs that must not notice who started us: without what npm adds, without our own settings and
 * tokens, and with a PATH that does not lead into our package.
 */
export const cleanEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isOurs(name)) continue;
    clean[name] = name === "PATH" ? withoutNpm(value) : value;
  }
  return clean;
};

const isOurs = (name: string): boolean =>
  /^(npm_|NPM_|REPRISE_)/.test(name) ||
  name === "INIT_CWD" ||
  name === "NODE" ||
  name === "NODE_OPTIONS" ||
  name === "NODE_CHANNEL_FD" ||
  name === "NODE_TEST_CONTEXT";

/** `npm run` puts directories of the package it runs before the user's own; agents must not find programs there. */
export const withoutNpm = (path: string): string =>
  path
    .split(":")
    .filter((entry) => !/\/node_modules\/\.bin$|\/node-gyp-bin$/.test(entry))
    .join(":");
