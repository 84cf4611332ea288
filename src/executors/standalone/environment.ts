/** What the daemon inherits: enough to find programs and speak the user's language. No tokens, nothing of npm. */
const inherited = new Set([
  "HOME",
  "LANG",
  "LANGUAGE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TMPDIR",
  "TZ",
  "USER",
  "XDG_RUNTIME_DIR",
  // Tests kill the daemon at a named point.
  "REPRISE_CRASH_AT",
]);

export const daemonEnvironment = (
  env: NodeJS.ProcessEnv,
): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (inherited.has(name) || name.startsWith("LC_")))
      kept[name] = name === "PATH" ? withoutNpm(value) : value;
  return kept;
};

/** `npm run` puts directories of the package it runs before the user's own; agents must not find programs there. */
const withoutNpm = (path: string): string =>
  path
    .split(":")
    .filter((entry) => !/\/node_modules\/\.bin$|\/node-gyp-bin$/.test(entry))
    .join(":");
