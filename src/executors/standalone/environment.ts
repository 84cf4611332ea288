import { pathOfPerson } from "../../kit/processes/clean-environment.ts";

/** What the daemon inherits: enough to find programs and speak the user's language. No tokens, nothing of npm. */
const inherited = new Set([
  "HOME",
  "LANG",
  "LANGUAGE",
  "LOGNAME",
  "PATH",
  "REPRISE_BWRAP",
  "SHELL",
  "TMPDIR",
  "TZ",
  "USER",
  "XDG_RUNTIME_DIR",
]);

export const daemonEnvironment = (
  env: NodeJS.ProcessEnv,
): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (inherited.has(name) || name.startsWith("LC_")))
      kept[name] = name === "PATH" ? pathOfPerson(env) : value;
  return { ...kept, ...crashVariables(env) };
};

/** Tests kill the server at one named point and the daemon at another. */
export const crashVariables = (
  env: NodeJS.ProcessEnv,
): Record<string, string> => {
  const plan = env["REPRISE_CRASH_AGENTCTL_PLAN"];
  const signal = env["REPRISE_CRASH_SIGNAL"];
  return {
    ...(plan !== undefined && { REPRISE_CRASH_PLAN: plan }),
    ...(signal !== undefined && { REPRISE_CRASH_SIGNAL: signal }),
  };
};
