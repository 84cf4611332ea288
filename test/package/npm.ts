import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The user's shell: the machine's own Node, nothing of the npm that runs this test. */
export const environment = (): NodeJS.ProcessEnv => {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(?!config_)|npm_config_local_prefix|REPRISE_|INIT_CWD|NODE_)/.test(
          name,
        ),
    ),
  );
  env["PATH"] = (env["PATH"] ?? "")
    .split(":")
    .filter((entry) => !entry.endsWith("node_modules/.bin"))
    .join(":");
  return env;
};

export const npm = (cwd: string, ...argv: string[]) =>
  promisify(execFile)("npm", [...argv, "--no-audit", "--no-fund"], {
    cwd,
    env: environment(),
    maxBuffer: 64 * 1024 * 1024,
  });
