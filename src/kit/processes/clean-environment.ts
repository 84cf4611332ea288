import { dirname, join } from "node:path";

/**
 * An environment for programs that must not notice who started us: without what npm adds, without our own settings and
 * tokens, and with the PATH of the person.
 */
export const cleanEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isOurs(name)) continue;
    clean[name] = name === "PATH" ? pathOfPerson(env) : value;
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

/**
 * The PATH as the person has it. `npm run` puts three things before it: the `node_modules/.bin` of the package whose script
 * it runs, those of the directories above, and a directory of npm's own. Agents must not find programs in our package, so
 * these go, once each, where the script is ours. Entries of the same form that the person has themselves stay.
 */
export const pathOfPerson = (
  env: Readonly<Record<string, string | undefined>>,
): string => {
  const added = new Set(
    env["npm_package_name"] === "reprise"
      ? binDirectories(dirname(env["npm_package_json"] ?? "/"))
      : [],
  );
  return (env["PATH"] ?? "")
    .split(":")
    .filter((entry) => !added.delete(entry) && !isOfNpm(entry))
    .join(":");
};

const binDirectories = (directory: string): string[] => {
  const own = join(directory, "node_modules", ".bin");
  const parent = dirname(directory);
  return parent === directory ? [own] : [own, ...binDirectories(parent)];
};

const isOfNpm = (entry: string): boolean => entry.endsWith("/node-gyp-bin");
