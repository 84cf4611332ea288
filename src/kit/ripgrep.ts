import { createRequire } from "node:module";

/** The name of the program beside agentctl's copy. */
export const RIPGREP = "rg";

/** Where npm put ripgrep for this machine; null where it did not. */
export const installedRipgrep = (): string | null => {
  const { platform, arch } = process;
  try {
    // Its program is in a package that only its own package may see.
    const from = createRequire(import.meta.resolve("@vscode/ripgrep"));
    return from.resolve(`@vscode/ripgrep-${platform}-${arch}/bin/${RIPGREP}`);
  } catch {
    return null;
  }
};
