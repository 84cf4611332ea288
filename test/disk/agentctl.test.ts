/** What agentctl does on a full disk: it writes down before it acts, or it waits. */
import assert from "node:assert/strict";
import { appendFile, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Bench } from "../../src/agentctl/fixtures/bench.ts";
import { newPrompt } from "../../src/agentctl/fixtures/ids.ts";
import { Journal } from "../../src/agentctl/execution/journal/journal.ts";
import type { JournalRecord } from "../../src/agentctl/execution/journal/record.ts";
import { Term } from "../../src/agentctl/base/term.ts";
import { diskTest, type SmallDisk } from "./small-disk.ts";

diskTest(
  "[REC-15] [REC-18] a record that does not fit leaves nothing of itself in the journal",
  async (disk) => {
    const path = join(disk.path, "journal");
    const { journal } = Journal.open(path);
    journal.append(notice("before"));
    await disk.fill();
    assert.throws(() => journal.append(notice("x".repeat(100_000))), {
      code: "ENOSPC",
    });
    await disk.free();
    journal.append(notice("after"));
    journal.close();
    const { journal: again, records } = Journal.open(path);
    again.close();
    assert.deepEqual(records, [notice("before"), notice("after")]);
  },
);

diskTest(
  "[REC-15] [LNK-6] a term that could not be made durable is not claimed, then or later",
  async (disk) => {
    await mkdir(join(disk.path, "agentctl"));
    const directory = join(disk.path, "agentctl");
    const terms = await Term.open(directory);
    assert.equal(await terms.claim(1), true);
    await disk.fill();
    for (const _ of [1, 2])
      await assert.rejects(terms.claim(2), { code: "ENOSPC" });
    assert.equal(await terms.claim(1), false);
    await disk.free();
    assert.equal(await terms.claim(2), true);
    assert.equal((await Term.open(directory)).highest, 2);
  },
);

diskTest(
  "[REC-15] [P1] a prompt handed over on a full disk is refused, and taken once when there is room",
  async (disk) => {
    const bench = await benchOn(disk);
    try {
      const link = await bench.link();
      const order = bench.order("demo");
      const { execution_id, epoch } = order;
      await link.call("start", order);
      await link.wait(order, "ready");
      const prompt_id = newPrompt();
      const content = [{ type: "text", text: "hello" }];
      const hand = () =>
        link.call("prompt", { execution_id, epoch, prompt_id, content });

      await fillUp(disk, bench.path(order, "journal"));
      await assert.rejects(hand(), { code: "storage_full" });
      await disk.free();
      await Promise.all([hand(), hand()]);
      await link.wait(order, "turn_ended");
      assert.equal(link.text(order).split("You said").length, 2);
    } finally {
      await bench.close();
    }
  },
);

diskTest(
  "[REC-15] [P5] [LNK-20] an answer that cannot be written down waits, which is told, and reaches the agent when there is room",
  async (disk) => {
    const bench = await benchOn(disk);
    try {
      const link = await bench.link();
      const order = bench.order("demo");
      const { execution_id, epoch } = order;
      await link.call("start", order);
      const turn = link.turn(order, "ask may I?");
      const { permission_id } = await link.wait(order, "permission_requested");
      const journal = bench.path(order, "journal");

      await fillUp(disk, journal);
      const before = await readFile(journal, "utf8");
      await link.call("answer", {
        execution_id,
        epoch,
        permission_id,
        option_id: "allow_once",
      });
      const notice = await link.wait(order, "notice");
      assert.equal(notice.code, "disk_full");
      assert.equal(await readFile(journal, "utf8"), before);
      await disk.free();
      await turn;
    } finally {
      await bench.close();
    }
  },
);

const notice = (text: string): JournalRecord => ({
  kind: "notice",
  at: 0,
  code: "test",
  text,
});

/** Agentctl's bench makes its home among the temporary files. */
const benchOn = async (disk: SmallDisk): Promise<Bench> => {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = disk.path;
  try {
    return await Bench.start();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
};

const BLOCK = 4096;

/** Fills the disk to the last byte of a file's last block: what is appended to it needs another one. */
const fillUp = async (disk: SmallDisk, file: string): Promise<void> => {
  const { size } = await stat(file);
  await appendFile(file, `${" ".repeat(2 * BLOCK - (size % BLOCK) - 1)}\n`);
  await disk.fill();
};
