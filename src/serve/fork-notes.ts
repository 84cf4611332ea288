import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { remove, writeDurably } from "../kit/files/durable-file.ts";
import { readPlain } from "../kit/files/read-plain.ts";
import type { ForkNotes } from "../runtime/ports/home.ts";

/** Two long paths. */
const MAX_BYTES = 16_384;

/** A file per note, named after its session. */
export const forkNotesIn = (directory: string): ForkNotes => ({
  put: async (session, text) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeDurably(join(directory, session), text);
  },
  get: (session) => readPlain(join(directory, session), MAX_BYTES),
  remove: (session) => remove(join(directory, session)),
  list: () => readdir(directory).catch(() => []),
});
