/** The other machine's side: the same daemon as `standalone` starts, in the foreground and reachable over the network. */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { RepriseError } from "../../contract/problem/problem.ts";
import { checkOurs } from "../../kit/files/own-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import { cleanEnvironment } from "../../kit/processes/clean-environment.ts";
import { classified } from "../standalone/failure.ts";
import { crashVariables } from "../standalone/environment.ts";
import { install, type Installation } from "../standalone/install.ts";
import { socketPath } from "../standalone/socket-path.ts";

export interface HostSettings {
  home: string;
  version: string;
  /** `HOST:PORT`. */
  listen: string;
  tokenFile?: string | undefined;
  isPlain: boolean;
  isJson: boolean;
  env: Readonly<Record<string, string | undefined>>;
}

/** What to run in our place. */
export interface HostProgram {
  file: string;
  args: readonly string[];
  env: Record<string, string>;
}

/** Puts the daemon into the home, from where it runs whatever becomes of the files it was made from. */
export const hostProgram = async (
  settings: HostSettings,
): Promise<HostProgram> => {
  const { version, listen, tokenFile, isPlain, isJson, env } = settings;
  const home = resolve(settings.home);
  const directory = join(home, "agentctl");
  const { node, agentctl, build } = await installed(home, directory, version);
  return {
    file: node,
    args: [
      agentctl,
      `--home=${home}`,
      `--socket=${await socketPath(home, env)}`,
      `--build=${build}`,
      `--listen=${listen}`,
      ...(tokenFile === undefined ? [] : [`--token-file=${tokenFile}`]),
      ...(isPlain ? ["--plain"] : []),
      ...(isJson ? ["--json"] : []),
    ],
    env: { ...cleanEnvironment(env), ...crashVariables(env) },
  };
};

const installed = async (
  home: string,
  directory: string,
  version: string,
): Promise<Installation> => {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await checkOurs(home);
    await makeDirectory(directory);
    await checkOurs(directory);
    return await install(directory, version);
  } catch (error) {
    throw classified(error, directory);
  }
};

/** Becomes that program: whoever started us watches the daemon itself, and its end is ours. */
export const become = ({ file, args, env }: HostProgram): never => {
  if (process.execve === undefined)
    throw new RepriseError(
      "not_supported",
      "This Node cannot replace itself by another program. Use the one that comes with Reprise.",
    );
  return process.execve(file, [file, ...args], env);
};
