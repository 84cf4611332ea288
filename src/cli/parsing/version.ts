import { readFile } from "node:fs/promises";

/** Nothing but the version is asked for: the one question that is answered before anything heavy is loaded. */
export const asksVersion = (argv: readonly string[]): boolean =>
  argv.length > 0 &&
  argv.every((each) => each === "--version" || each === "-v");

/** Of this package: in a clone and in an installed one it lies two directories up. */
export const readVersion = async (): Promise<string> => {
  const file = new URL("../../../package.json", import.meta.url);
  const document: unknown = JSON.parse(await readFile(file, "utf8"));
  if (
    typeof document === "object" &&
    document !== null &&
    "version" in document &&
    typeof document.version === "string"
  )
    return document.version;
  throw new Error(`${file.pathname} does not say a version.`);
};
