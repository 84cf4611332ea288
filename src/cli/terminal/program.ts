/** How this program is called here, so that the commands it suggests work when they are pasted. */
import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { quoted } from "./quoted.ts";

const NAME = "reprise";

/** Its plain name where the shell finds it by that, else the path it was called by. */
export const programOf = (
  script: string | undefined,
  path: string | undefined,
): string => {
  if (script === undefined || script === "") return NAME;
  const found = (path ?? "")
    .split(delimiter)
    .map((folder) => real(join(folder, NAME)))
    .find((file) => file !== null);
  return found !== undefined && found === real(script) ? NAME : quoted(script);
};

/** Our own words with every command in them as it has to be typed: at the start of a line, after `$ ` or `| `, in backticks. */
export const asCalled = (words: string, program: string): string =>
  words.replaceAll(/(?<=^|`|[$|] )reprise(?= )/gm, () => program);

const real = (file: string): string | null => {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
};
