/** What the logs hold while strangers knock and work goes on. */
import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { TestHouse } from "./house.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";

test("[API-108] thousands of requests without a token leave a few lines and their number", async () => {
  await using house = await TestHouse.make();
  const server = await house.up();
  const REQUESTS = 3000;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const knock = (n: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = `${server.url}/api/sessions/${"x".repeat(100)}?n=${n}`;
      request(url, { agent }, (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode));
      })
        .on("error", reject)
        .end();
    });
  const statuses = await Promise.all(
    Array.from({ length: REQUESTS }, (_, n) => knock(n)),
  );
  agent.destroy();
  assert.ok(statuses.every((status) => status === 401));
  await server.stop();
  const log = await readFile(join(house.home, "server.log"), "utf8");
  const lines = log.split("\n").filter((line) => line.includes("token"));
  const counted = lines.map((line): unknown => JSON.parse(line));
  const oneByOne = log.split("refused at the door").length - 1;
  // A busy machine may need more than a minute: a sum for each.
  const summed = counted.reduce(
    (sum: number, line) => sum + Number(Object(line)["requests"]),
    0,
  );
  assert.equal(oneByOne + summed, REQUESTS);
  assert.ok(oneByOne <= 20 * (counted.length + 1), `${oneByOne} lines`);
});

test("[API-109] both logs are rotated while they are written, and stay within their bounds", async () => {
  const MAX = 512;
  await using house = await TestHouse.make({
    log: { max_mb: MAX / 1024 ** 2, files: 3 },
  });
  const server = await house.up();
  const daemon = join(house.home, "agentctl");
  const logs = async (directory: string, name: string): Promise<string[]> =>
    (await readdir(directory)).filter((each) => each.startsWith(name));
  // Every request is a line in the server's log, every agentctl one in its own.
  for (let n = 0; n < 30; n++) await server.client.createTask({ title: "t" });
  for (let n = 0; n < 4; n++) {
    // The link to the one before is lost a moment later than that one is gone.
    await eventually(
      () =>
        server.client.listAgents().then(
          () => true,
          () => false,
        ),
      (answered) => answered,
    );
    await endDaemon(house.home);
  }
  await server.stop();
  for (const [directory, name] of [
    [house.home, "server.log"],
    [daemon, "agentctl.log"],
  ] as const) {
    const files = await logs(directory, name);
    assert.ok(files.length > 1 && files.length <= 3, files.join(" "));
    for (const file of files) {
      const path = join(directory, file);
      assert.equal((await stat(path)).mode & 0o077, 0, file);
      const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
      for (const line of lines) JSON.parse(line);
      const size = lines.join("\n").length + 1;
      assert.ok(size <= MAX || lines.length === 1, `${file}: ${size} bytes`);
    }
  }
});
