import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Null when a minimal machine can be made and entered here, else why not. */
export const whyNot = async (): Promise<string | null> => {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0)
    return "it needs root, to make a root directory";
  if (!(await succeeds("unshare", ["--mount", "--pid", "--fork", "true"])))
    return "this machine allows no namespaces of its own";
  if (await succeeds("mmdebstrap", ["--version"])) return null;
  return "it needs mmdebstrap (on Debian: npm run parts)";
};

const succeeds = (program: string, args: readonly string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );
