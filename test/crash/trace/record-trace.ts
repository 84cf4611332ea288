import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import * as z from "zod";
import { type Client, connect } from "../../../src/client/client.ts";
import { endDaemon } from "../../../src/executors/fixtures/end-daemon.ts";
import { TestHouse, say, seenUntil, turnEnded } from "../../e2e/house.ts";
import { findStrace } from "./strace.ts";
import { parseTrace, type SystemCall } from "./system-call.ts";

/** Threads and children too; what descriptors stand for; bytes as they are, and more than is ever written at once here. */
const options = "-f -y -xx -s 200000 --seccomp-bpf".split(" ");

/** Every call by which something leaves a process or reaches the disk. */
const calls =
  "write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,fsync,fdatasync,rename,renameat,renameat2";

/** What server and agentctl of this product do for a short session, down to the system calls. */
export const recordTrace = async (product: string): Promise<SystemCall[]> => {
  await using house = await TestHouse.make();
  const { command, env } = await findStrace(join(house.directory, "strace"));
  const trace = join(house.directory, "trace");
  const program = join(product, "bin/reprise");
  const traced = spawn(
    command,
    [...options, `--trace=${calls}`, "-o", trace, program, "up", "--port", "0"],
    { env: house.env(env), stdio: ["ignore", "pipe", "inherit"] },
  );
  const exited = once(traced, "exit");
  const url = await addressOf(traced);
  const token = (await readFile(join(house.home, "token"), "utf8")).trim();
  await shortLife(connect({ url, token }), house.workspace);

  // It goes when everything that it follows is gone.
  await endServer(house.home);
  await endDaemon(house.home);
  await exited;
  return parseTrace(await readFile(trace, "utf8"));
};

const shortLife = async (client: Client, cwd: string): Promise<void> => {
  const { id } = await client.createSession({ cwd });
  await say(client, id, "hello");
  await client.queuePrompt(id, { text: "ask may I?" });
  await seenUntil(
    client,
    id,
    ({ type }) => type === "session.permission.requested",
  );
  const [asked] = (await client.showSession(id)).pending_permissions;
  const option = asked?.options[0]?.id ?? "";
  await client.answerPermission(id, asked?.id ?? "", option);
  await seenUntil(client, id, turnEnded(2));
  await client.endSession(id);
  await seenUntil(client, id, ({ type }) => type === "session.execution.ended");
};

const addressOf = async (
  traced: ChildProcessByStdio<null, Readable, null>,
): Promise<string> => {
  let printed = "";
  for await (const chunk of traced.stdout) {
    printed += String(chunk);
    const url = /Reprise is up: (\S+)/.exec(printed)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the server ended: ${printed}`);
};

const endServer = async (home: string): Promise<void> => {
  const text = await readFile(join(home, "server.json"), "utf8");
  const { pid } = z.object({ pid: z.number() }).parse(JSON.parse(text));
  process.kill(pid, "SIGKILL");
};
