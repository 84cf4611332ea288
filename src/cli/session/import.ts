import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { RepriseError } from "../../contract/problem/problem.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { started } from "../text/started.ts";
import { UsageError } from "../parsing/usage-error.ts";

export const importSession = command({
  name: "session import",
  summary: "Take in a session that was exported",
  about:
    "It goes on where it was. A file that is damaged or unsafe is refused, and nothing of it is kept. Its agent will run what it was set up to run: take in files of people you trust.",
  args: [{ name: "FILE", help: "what `reprise session export` wrote" }],
  options: {
    cwd: {
      kind: "text",
      value: "DIR",
      help: "where its workspace goes, a directory that is not there yet; default one in the home",
    },
  },
  examples: [
    "reprise session import work.reprise",
    "reprise session import work.reprise --cwd ~/work",
  ],
  async run({ args, options }, world) {
    const client = await world.client();
    const file = await openFile(resolve(world.cwd, args.FILE));
    const session = await client.importSession(
      file,
      options.cwd === undefined ? {} : { cwd: resolve(world.cwd, options.cwd) },
    );
    answer(world, session, () => started(session, "imported", world));
    return 0;
  },
});

const openFile = async (path: string): Promise<Blob> => {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile())
    throw new UsageError(`${path} is no file.`);
  try {
    return await openAsBlob(path);
  } catch (error) {
    throw new RepriseError("not_found", `${path} cannot be read.`, {
      cause: error,
    });
  }
};
