import { execFile } from "node:child_process";
import { readFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { directoryOf, readExport } from "./opencode-database.ts";
import { Exported, newSessionId, renamed } from "./opencode-export.ts";
import { opencodeProgram } from "./opencode-program.ts";
import { locateProgram } from "../launch/program.ts";
import {
  isSafeId,
  savedFile,
  type SessionState,
  type TranscriptWhere,
} from "../state/session-state.ts";

const NAME = "session.json";

/**
 * A session is taken out of the database alone, and put into one only by OpenCode itself (`opencode import`), which adds
 * and does not replace. So no other session is ever touched, in a home of its own or in the person's, and it may go into
 * another directory, to which the rows of the database are bound.
 */
export const opencodeState: SessionState = {
  newToken: () => newSessionId(Date.now()),
  has: async (where, token) => (await directoryOf(where, token)) !== null,

  async collect(where, token, scratch) {
    const exported = await readExport(where, token);
    if (exported === null) return [];
    const path = join(scratch, NAME);
    await writeFile(path, textOf(exported), { mode: 0o600 });
    return [{ name: NAME, path }];
  },

  async put(saved, from, to) {
    if (!isSafeId(to.token)) throw new Error(`${to.token} is no session id`);
    const { path } = savedFile(saved, NAME);
    const exported = Exported.parse(JSON.parse(await readFile(path, "utf8")));
    const there = await readExport(to, to.token);
    const moved = renamed(exported, from, { cwd: to.cwd, token: to.token });
    if (there !== null && goesOn(there, moved)) return { token: to.token };
    const token = there === null ? to.token : newSessionId(Date.now());
    await bringIn(renamed(exported, from, { cwd: to.cwd, token }), to);
    if ((await directoryOf(to, token)) !== to.cwd)
      throw new Error("opencode import did not bring the session in");
    return { token };
  },
};

/** JSON, one message after the other: a long session keeps nobody waiting. */
function* textOf({ info, messages }: Exported): Generator<string> {
  yield `{"info":${JSON.stringify(info)},"messages":[`;
  for (const [n, message] of messages.entries())
    yield `${n === 0 ? "" : ","}${JSON.stringify(message)}`;
  yield "]}";
}

/** Whether a session holds the same messages, and perhaps more. */
const goesOn = (there: Exported, moved: Exported): boolean =>
  there.info.directory === moved.info.directory &&
  moved.messages.every(
    (message, n) => there.messages[n]?.info.id === message.info.id,
  );

const run = promisify(execFile);

const bringIn = async (
  exported: Exported,
  { env, cwd, isSandboxed = false }: TranscriptWhere,
): Promise<void> => {
  if (isSandboxed)
    throw new Error(
      "only OpenCode itself can bring it in, and it is not started outside of the session's sandbox",
    );
  const program = { ...opencodeProgram, args: [] };
  const found = await locateProgram(program, { path: env["PATH"] ?? "", cwd });
  const [file, ...args] = found?.argv ?? [];
  if (file === undefined) throw new Error("opencode is not installed");
  const directory = await mkdtemp(join(env["TMPDIR"] ?? tmpdir(), "opencode-"));
  try {
    const path = join(directory, NAME);
    await writeFile(path, JSON.stringify(exported), { mode: 0o600 });
    await run(file, [...args, "import", path], {
      cwd,
      env: { ...env, PWD: cwd, OPENCODE_DISABLE_AUTOUPDATE: "1" },
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const PATIENCE_MS = 60_000;
