import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, link, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Client, ServerUnreachable } from "../../client/client.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { size } from "../terminal/size.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const exportSession = command({
  name: "session export",
  summary: "Write a session into one file",
  about:
    "Journal, checkpoints and the agent's own session files; no secrets of its environment. A turn in progress must have ended.",
  args: [
    sessionArgument,
    { name: "FILE", help: "the file to make; one that is there is kept" },
  ],
  options: {},
  examples: ["reprise session export ses_01jm work.reprise"],
  async run({ args }, world) {
    const file = resolve(world.cwd, args.FILE);
    await refuseExisting(file);
    await refuseWithoutFolder(file);
    const { client, id } = await targetOf(world, args.ID);
    await write(file, received(client, await client.exportSession(id)));
    const { size: bytes } = await stat(file);
    const { damaged_from } = await client.showSession(id);
    const left =
      damaged_from === null
        ? ""
        : ` Its journal is damaged from event ${damaged_from} on: the file holds what came before.`;
    answer(
      world,
      {
        session_id: id,
        file,
        bytes,
        ...(damaged_from === null ? {} : { damaged_from }),
      },
      () =>
        `${id} is in ${oneLine(args.FILE)} (${size(bytes)}).${left} Take it in elsewhere with \`reprise session import ${oneLine(args.FILE)}\`.`,
    );
    return 0;
  },
});

const refuseExisting = async (file: string): Promise<void> => {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw alreadyThere(file);
};

const alreadyThere = (file: string): RepriseError =>
  new RepriseError(
    "file_exists",
    `${file} is there already. Choose another name, or remove it first.`,
  );

const refuseWithoutFolder = async (file: string): Promise<void> => {
  const folder = dirname(file);
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere)
    throw new RepriseError(
      "not_found",
      `${folder} is not a directory that is there. Make it first, or choose another.`,
    );
};

/** The same pieces. An answer that breaks off says who went away: the server, or the agentctl that it gets the file from. */
async function* received(
  client: Client,
  content: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    if (error instanceof ServerUnreachable) throw error;
    const gone = await client.health().then(
      () => null,
      (why: unknown) => (why instanceof ServerUnreachable ? why : null),
    );
    throw gone === null
      ? new RepriseError(
          "agentctl_unavailable",
          "The export broke off, because agentctl or the server's connection to it went away. Nothing was written; run it again.",
          { cause: error },
        )
      : new ServerUnreachable(
          gone.url,
          "The export broke off, because the server went away. Nothing was written; run it again when the server is up.",
          error,
        );
  }
}

/** It gets its name when it is whole, and takes it from nobody. */
const write = async (
  file: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const draft = `${file}.${randomUUID().slice(0, 8)}.part`;
  try {
    await pipeline(
      Readable.from(content),
      createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }),
    );
    await link(draft, file);
  } catch (error) {
    throw hasErrno(error, "EEXIST") ? alreadyThere(file) : error;
  } finally {
    await rm(draft, { force: true });
  }
};
