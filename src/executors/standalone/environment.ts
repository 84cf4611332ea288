import { pathOfPerson } from "../../kit/processes/clean-environment.ts";

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
  "REPRISE_CRASH_SIGNAL",
]);

export const daemonEnvironment = (
  env: NodeJS.ProcessEnv,
): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (inherited.has(name) || name.startsWith("LC_")))
      kept[name] = name === "PATH" ? pathOfPerson(env) : value;
  // Tests kill the server at one named point and the daemon at another.
  const plan = env["REPRISE_CRASH_AGENTCTL_PLAN"];
  if (plan !== undefined) kept["REPRISE_CRASH_PLAN"] = plan;
  return kept;
};
