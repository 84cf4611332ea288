import { fileURLToPath } from "node:url";

/** The name of the program beside agentctl's copy. */
export const RIPGREP = "rg";

/** Where npm put ripgrep for this machine; null where it did not. */
export const installedRipgrep = (): string | null => {
  const { platform, arch } = process;
  try {
    return fileURLToPath(
      import.meta.resolve(`@vscode/ripgrep-${platform}-${arch}/bin/${RIPGREP}`),
    );
  } catch {
    return null;
  }
};
