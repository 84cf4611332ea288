import { basename } from "node:path/posix";
import type { Violation } from "./check-imports.ts";
import type { Tree } from "./tree.ts";

/** A file beyond this holds a second thing. */
const maxLines = 350;

const kebabCase =
  /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|bench|d|worker|config|module))?\.(ts|tsx|sh|css|html)$/;

/** Names that say nothing about what is inside. */
const emptyWords =
  /(^|-)(managers?|services?|handlers?|helpers?|utils?|v2)(-|\.)/;
const emptyFiles = /^(types|index|common|misc|shared|new|next)\./;

export const checkNames = (tree: Tree): Violation[] =>
  [...tree.values()].flatMap(({ path, lines }) => {
    const name = basename(path);
    const wrongs = [
      ...(kebabCase.test(name) ? [] : ["its name is not in kebab-case"]),
      ...(emptyWords.test(name) || emptyFiles.test(name)
        ? ["its name says nothing: name what is inside"]
        : []),
      ...(lines > maxLines
        ? [`it has ${lines} lines: what is the second thing in it?`]
        : []),
    ];
    return wrongs.map((what) => ({ file: path, what }));
  });
