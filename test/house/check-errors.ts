import { readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import type { Violation } from "./check-imports.ts";
import { isTestCode } from "./rooms.ts";
import { tokenize } from "./tokens.ts";
import type { Tree } from "./tree.ts";

/** Every class of errors, with the places that may name it. `docs/decisions/errors.md` says why there are these. */
const classes: Readonly<Record<string, readonly string[]>> = {
  // One for each closed set of codes.
  RepriseError: ["src/"],
  LinkError: [
    "src/contract/",
    "src/runtime/",
    "src/executors/",
    "src/agentctl/",
  ],
  StreamAborted: ["src/streams/", "src/executors/", "src/agentctl/"],
  VaultFailure: ["src/checkpoint/", "src/agentctl/"],
  UnusableFile: ["src/"],
  // No answer came at all, so nobody gave it a code.
  ServerUnreachable: ["src/client/", "src/local/", "src/cli/", "src/acp/"],
  ServerSilent: ["src/cli/"],
  DeadlineExceeded: ["src/"],
  // Signals that the room itself catches.
  Damaged: ["src/records/"],
  DamagedColumn: ["src/store/sqlite/"],
  GitFailed: ["src/agentctl/workspace/git/"],
  NobodyThere: ["src/executors/"],
  OutputGap: ["src/runtime/"],
  UsageError: ["src/cli/"],
};

/** Classes of errors that are not on the list, and those that are named where they do not belong. */
export const checkErrors = async (
  root: string,
  tree: Tree,
): Promise<Violation[]> => {
  const violations: Violation[] = [];
  for (const file of tree.keys()) {
    if (isTestCode(file)) continue;
    const tokens = tokenize(await readFile(join(root, file), "utf8"));
    const words = tokens.map((token) =>
      token.kind === "word" ? token.text : "",
    );
    for (const [at, word] of words.entries()) {
      const base = words[at + 1] ?? "";
      const name = words[at - 1] ?? "";
      if (word === "extends" && isError(base) && !Object.hasOwn(classes, name))
        violations.push({
          file,
          what: `${name} is one more class of errors: give a code to one that is there`,
        });
      const places = Object.hasOwn(classes, word) ? classes[word] : undefined;
      if (places !== undefined && !places.some((at) => file.startsWith(at)))
        violations.push({ file, what: `${word} does not belong here` });
    }
  }
  return violations;
};

const isError = (base: string): boolean =>
  base.endsWith("Error") || Object.hasOwn(classes, base);
