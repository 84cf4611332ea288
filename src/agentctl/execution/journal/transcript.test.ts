import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratch } from "../../../agents/fixtures/scratch.ts";
import { checkTranscript, TranscriptMarker } from "./transcript.ts";

test("[LNK-66] an agent's session file that is a FIFO is not waited for: there is nothing to mark, and what was marked is lost", async (t) => {
  const directory = scratch(t);
  const file = join(directory, "session.jsonl");
  writeFileSync(file, "{}\n");
  const marker = new TranscriptMarker();
  const mark = await marker.mark(file);
  assert.equal(mark?.bytes, 3);
  assert.equal(await checkTranscript(file, mark), "intact");
  const fifo = join(directory, "fifo");
  execFileSync("mkfifo", [fifo]);
  assert.equal(await marker.mark(fifo), null);
  assert.equal(await checkTranscript(fifo, mark), "damaged");
});
