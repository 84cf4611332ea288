import { openAsBlob } from "node:fs";
import { resolve } from "node:path";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { command } from "../../parsing/command.ts";
import { answer } from "../../terminal/print.ts";
import { oneLine } from "../../terminal/sanitize.ts";
import { size } from "../../terminal/size.ts";
import type { World } from "../../terminal/world.ts";
import { sessionArgument, targetOf } from "../shared/target.ts";

export const put = command({
  name: "session put",
  summary: "Write a file into a session's workspace",
  about:
    "The file is replaced whole or not at all. Missing directories are made.",
  args: [
    sessionArgument,
    { name: "PATH", help: "where it goes in the workspace" },
    {
      name: "FILE",
      optional: true,
      help: "the file to send; - or nothing reads standard input",
    },
  ],
  options: {
    new: { kind: "flag", help: "refuse where there is such a file already" },
    "if-match": {
      kind: "text",
      value: "ETAG",
      help: "refuse unless the file has this etag",
    },
  },
  examples: [
    "reprise session put ses_01jm notes/todo.md todo.md",
    "date | reprise session put ses_01jm now.txt",
  ],
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const content = await contentOf(args.FILE, world);
    const ifMatch = options["if-match"];
    const written = await client.writeFile(id, args.PATH, content, {
      ...(options.new && { isNew: true }),
      ...(ifMatch !== undefined && { ifMatch }),
    });
    answer(
      world,
      written,
      () =>
        `${oneLine(written.path)} is ${written.created ? "made" : "written"} (${size(written.size)}).`,
    );
    return 0;
  },
});

const contentOf = async (
  file: string | undefined,
  world: World,
): Promise<Blob> => {
  if (file === undefined || file === "-")
    return new Blob([new Uint8Array(await world.stdin())]);
  try {
    return await openAsBlob(resolve(world.cwd, file));
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "EISDIR", "ERR_INVALID_ARG_VALUE"))
      throw error;
    throw new RepriseError(
      "not_found",
      `${file} is no file that can be read.`,
      {
        cause: error,
      },
    );
  }
};
