/** What Reprise does on a disk that turns read-only, as the kernel makes one that it found broken. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { changedTo, isWords, say, seenUntil } from "../e2e/house.ts";
import { Latch } from "../../src/kit/fixtures/latch.ts";
import { everythingDown, houseOn, isAlive, until } from "./house.ts";
import { diskTest } from "./small-disk.ts";

const notWritable = {
  code: "storage_unavailable",
  message: /cannot be (opened for writing|read or written|written)/,
};

diskTest(
  "[REC-16] a disk turns read-only under a server: it says so, reads go on, and after the repair everything acknowledged is there",
  async (disk) => {
    await using house = await houseOn(disk);
    const server = await house.up();
    const { client } = server;
    const quiet = await client.createSession({ cwd: house.workspace });
    await say(client, quiet.id, "remember pass=mellon");
    // Elsewhere: a disk of which something is open cannot be mended.
    using latch = new Latch(tmpdir());
    const busy = await client.createSession({
      cwd: house.workspace,
      prompt: `count 40 0\nrun ${latch.wait}\ncount 9999 0`,
    });
    await seenUntil(client, busy.id, isWords);
    const executions = [quiet, busy].map(async ({ id }) => {
      return (await client.showSession(id)).agent_execution_id;
    });
    const [idle = null, speaking = null] = await Promise.all(executions);

    await disk.turnReadOnly();
    latch.open();
    await assert.rejects(
      client.queuePrompt(quiet.id, { text: "hello" }),
      notWritable,
    );
    await assert.rejects(client.createSession({}), notWritable);
    assert.equal((await client.listMessages(quiet.id)).messages.length, 2);
    assert.equal((await client.listSessions()).sessions.length, 2);
    await until(async () => !(await isAlive(speaking)));
    const acknowledged = (await client.showSession(busy.id)).last_seq;
    assert.match(
      (await house.cli(["doctor"])).out,
      /fail\s+home\s+\S+ cannot be written/,
    );

    assert.match(await server.stop(), /Reprise is up/);
    assert.equal(server.process.exitCode, 0);
    const { code, err } = await house.cli(["up", "--port", "0"]);
    assert.equal(code, 1);
    assert.match(err, /cannot be written.*REPRISE_HOME/);
    assert.ok(!err.includes("    at "), "no stack trace");

    await everythingDown(house, server, idle, speaking);
    await disk.mend();
    const again = (await house.up()).client;
    assert.equal(
      (await say(again, quiet.id, "recall pass")).trim(),
      "pass=mellon",
    );
    const seen = await seenUntil(
      again,
      busy.id,
      changedTo("WAITING_FOR_INPUT"),
      acknowledged,
    );
    assert.equal(seen[0]?.seq, acknowledged + 1);
    assert.match(await say(again, busy.id, "hello"), /You said: hello/);
  },
);
