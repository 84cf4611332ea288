/** The programs in `examples/`, run as they stand. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test as alone } from "node:test";
import { root } from "./house.ts";
import { type Scene, sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[SDK-7] [SDK-8] start-and-watch tells what the agent says and what came of it", async (scene) => {
  const { code, printed } = await run(scene, "start-and-watch");
  assert.equal(code, 0, printed);
  assert.match(printed, /^tool: .*login\.txt/m);
  assert.match(printed, /^agent: I wrote login\.txt\.\nlogin is unknown$/m);
  assert.match(
    printed,
    /^completed I wrote login\.txt\.\nlogin is unknown \[/m,
  );
  assert.match(printed, /path: 'login\.txt', change: 'added'/);
});

test("[SDK-9] [SDK-10] after-a-crash continues what was cut off, and runs no prompt twice", async (scene) => {
  const { client, workspace } = scene;
  const ledger = join(workspace, "../ledger");
  const session = await client.createSession({
    cwd: workspace,
    env: { DEMO_LEDGER: ledger },
  });
  const first = await run(scene, "after-a-crash", session.id);
  assert.equal(first.code, 0, first.printed);
  assert.match(first.printed, /^interrupted /m);
  assert.match(first.printed, /^completed native/m);
  const second = await run(scene, "after-a-crash", session.id);
  assert.doesNotMatch(second.printed, /interrupted/);
  assert.match(second.printed, /^completed native/m);
  const lines = (await readFile(ledger, "utf8")).trim().split("\n");
  assert.equal(lines.filter((line) => line.includes("a.txt")).length, 1);
});

test("[SDK-11] three-ways forks, and answers what all of them ask", async (scene) => {
  const { code, printed } = await run(scene, "three-ways");
  assert.equal(code, 0, printed);
  assert.equal(printed.match(/^asked: /gm)?.length, 3);
  assert.equal(
    printed.match(/^completed I wrote way\.txt\.\ncolour=teal way\.txt$/gm)
      ?.length,
    3,
    printed,
  );
});

test("[SDK-12] retry-a-task waits for a task", async (scene) => {
  const { code, printed } = await run(scene, "retry-a-task");
  assert.equal(code, 0, printed);
  assert.match(printed, /^REVIEW 1$/m);
  assert.match(printed, /^succeeded done\.txt$/m);
});

void alone("every example is run by a test", async () => {
  const own = await readFile(import.meta.filename, "utf8");
  for (const name of await readdir(join(root, "examples")))
    if (name.endsWith(".ts"))
      assert.ok(own.includes(`"${name.replace(/\.ts$/, "")}"`), name);
});

/** With the sources in the place of the package. */
const run = async (
  { house, server, workspace }: Scene,
  name: string,
  ...args: string[]
): Promise<{ code: unknown; printed: string }> => {
  const child = spawn(
    process.execPath,
    [
      "--conditions=reprise-source",
      join(root, "examples", `${name}.ts`),
      ...args,
    ],
    {
      cwd: workspace,
      env: house.env({ REPRISE_URL: server.url, REPRISE_TOKEN: server.token }),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = await once(child, "close");
  return { code, printed };
};
