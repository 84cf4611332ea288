import { execFile } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { pathOfPerson } from "../../src/kit/processes/clean-environment.ts";

/** How npm reaches its registry from this machine: settings, certificates, proxies. Nothing of it is in the repository. */
export class NpmSettings {
  /** What was downloaded once is not downloaded again. */
  readonly cache: string;
  readonly env: Record<string, string>;
  readonly #files: readonly string[];

  private constructor(
    cache: string,
    env: Record<string, string>,
    files: readonly string[],
  ) {
    this.cache = cache;
    this.env = env;
    this.#files = files;
  }

  static async ofThisMachine(): Promise<NpmSettings> {
    const [cache = "", userconfig = "", globalconfig = "", cafile = ""] =
      await Promise.all(
        ["cache", "userconfig", "globalconfig", "cafile"].map(setting),
      );
    const env: Record<string, string> = {
      ...inherited(),
      npm_config_cache: cache,
      npm_config_userconfig: userconfig,
      npm_config_globalconfig: globalconfig,
      npm_config_prefer_offline: "true",
    };
    const certificates = env["NODE_EXTRA_CA_CERTS"] ?? "";
    return new NpmSettings(cache, env, [
      userconfig,
      globalconfig,
      cafile,
      certificates,
    ]);
  }

  /** Each file has the same path there as here. */
  async copyInto(root: string): Promise<void> {
    for (const file of this.#files) {
      if (!file.startsWith("/")) continue;
      await mkdir(dirname(join(root, file)), { recursive: true });
      await cp(file, join(root, file), { dereference: true }).catch(() => {
        // npm has names for its files also where there are none.
      });
    }
  }
}

/** As the machine's own npm has it: another Node would have it look for its files elsewhere. */
const setting = async (name: string): Promise<string> => {
  const { stdout } = await promisify(execFile)("npm", ["config", "get", name], {
    cwd: "/",
    env: { ...process.env, PATH: pathOfPerson(process.env) },
  });
  return stdout.trim();
};

/** Registry and proxies may also be told by the environment. */
const inherited = (): Record<string, string> => {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (
      value !== undefined &&
      /^(npm_config_.*registry|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS)$/i.test(
        name,
      )
    )
      env[name] = value;
  return env;
};
