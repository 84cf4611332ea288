import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DEMO, scratch } from "./drive.ts";
import { fileHas } from "./file-has.ts";

test("held by a FIFO and a file, it needs nobody at the other end", async (t) => {
  const directory = scratch(t);
  const [fifo, output] = [join(directory, "stdin"), join(directory, "stdout")];
  execFileSync("mkfifo", [fifo]);
  const [input, out] = [openSync(fifo, "r+"), openSync(output, "a")];
  const child = spawn(process.execPath, [DEMO], {
    env: { ...process.env, DEMO_HOME: directory },
    stdio: [input, out, "inherit"],
    detached: true,
  });
  t.after(() => child.kill("SIGKILL"));
  closeSync(out);

  const answered = (pattern: RegExp): Promise<string> =>
    fileHas(output, pattern);
  const write = (text: string): number => writeSync(input, text);
  const call = (id: string, method: string, params: object): string =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params });

  write(`${call("a-1", "initialize", { protocolVersion: 1 })}\n`);
  await answered(/"id":"a-1","result"/);
  // A line that its writer did not live to end is ended by its successor, and refused by the agent.
  write(`${call("a-2", "session/new", {}).slice(0, 20)}\x18\n`);
  await answered(/"code":-32700/);
  write(`${call("b-1", "session/new", { cwd: directory, mcpServers: [] })}\n`);
  const sessionId = await answered(
    /"id":"b-1","result":\{"sessionId":"([^"]+)/,
  );
  const prompt = [{ type: "text", text: "count 3 1" }];
  write(call("b-2", "session/prompt", { sessionId, prompt }));
  write("\n");
  await answered(/"id":"b-2","result":\{"stopReason":"end_turn"/);
  write(`${call("b-3", "_reprise/ping", {})}\n`);
  await answered(/"id":"b-3","error":\{"code":-32601/);

  const exited = once(child, "exit");
  child.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
  closeSync(input);
  assert.deepEqual(
    [...readFileSync(output, "utf8").matchAll(/"text":"(\d)\\n"/g)].map(
      ([, number]) => number,
    ),
    ["1", "2", "3"],
  );
});
