import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { eventually, until } from "../../src/kit/fixtures/patience.ts";
import { markedProcesses } from "../../src/kit/processes/marked-processes.ts";
import { TestHouse } from "./house.ts";

const house = await TestHouse.make();
after(() => house[Symbol.asyncDispose]());
let server = await house.up();
const secret = join(house.directory, "secret.txt");
await writeFile(secret, "hush-4711");

const start = async (sandbox: true | { network: "on" | "off" } = true) =>
  (
    await server.client.createSession({
      agent: "demo",
      cwd: house.workspace,
      sandbox,
      permissions: "allow-all",
    })
  ).id;

const sh = (script: string): [string, ...string[]] => ["sh", "-c", script];

test("[SBX-1] debug", async () => {
  const id = await start();
  await server.client.sendPrompt(id, { text: "remember a=b\nrun ls -la / $HOME; cat /proc/self/mountinfo" });
  await until(async () => (await server.client.getSession(id)).turn_count === 1 || (await server.client.getSession(id)).state === "ERROR");
  console.log(JSON.stringify(await server.client.listMessages(id), null, 1));
  console.log(await server.client.getSession(id));
  const ran = await server.client.execCommand(id, { argv: sh(`pwd; id; ls -la / ~; cat ${secret}; cat ${house.home}/token; ps ax; touch /x ./y; env`) });
  console.log(ran.stdout, ran.stderr);
});
