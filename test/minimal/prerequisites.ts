import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Null when a minimal machine can be made and entered here, else why not. What can be installed is installed first. */
export const whyNot = async (): Promise<string | null> => {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0)
    return "it needs root, to make a root directory";
  if (!(await succeeds("unshare", ["--mount", "--pid", "--fork", "true"])))
    return "this machine allows no namespaces of its own";
  if (await succeeds("mmdebstrap", ["--version"])) return null;
  if (!(await succeeds("apt-get", ["--version"])))
    return "it needs mmdebstrap, and there is no apt-get to install it";
  const wait = ["-o", "DPkg::Lock::Timeout=300"];
  await run("apt-get", [...wait, "update"]);
  const install = ["install", "--yes", "--no-install-recommends"];
  await run("apt-get", [...wait, ...install, "mmdebstrap"], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return null;
};

const succeeds = (program: string, args: readonly string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );
