import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/**
 * The environment for a thread of ours. Each thread has to be told where compiled code is kept, or it compiles again what
 * others have compiled. The directory that Node tells is the one of this Node inside the one to give.
 */
export const threadEnvironment = (): NodeJS.ProcessEnv => {
  const cache = getCompileCacheDir();
  if (cache === undefined) return process.env;
  return { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
};
