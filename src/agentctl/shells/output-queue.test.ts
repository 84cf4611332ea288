import assert from "node:assert/strict";
import { test } from "node:test";
import { OutputQueue } from "./output-queue.ts";

/** A disk with so much room; the queue tries again when `tryAgain` is called. */
const made = (room: number) => {
  const disk = {
    room,
    text: "",
    get end() {
      return this.text.length;
    },
    append(bytes: Uint8Array) {
      const written = Buffer.from(bytes).toString().slice(0, this.room);
      this.text += written;
      this.room -= written.length;
      if (written.length < bytes.length) throw new Error("no space left");
    },
  };
  const said: string[] = [];
  const retries: (() => void)[] = [];
  const queue = new OutputQueue({
    scrollback: disk,
    onRefused: () => said.push("refused"),
    onTaken: () => said.push("taken"),
    later: (callback) => retries.push(callback),
  });
  const add = (text: string) => queue.add(Buffer.from(text));
  const tryAgain = () => retries.shift()?.();
  return { disk, said, queue, add, tryAgain, retries };
};

test("[SHL-55] what a full disk did not take is written before what came later", () => {
  const { disk, said, queue, add, tryAgain, retries } = made(6);
  add("one ");
  add("two ");
  assert.equal(disk.text, "one tw");
  assert.equal(queue.isWaiting, true);
  disk.room = 100;
  add("three ");
  assert.equal(disk.text, "one tw", "it does not overtake");
  tryAgain();
  assert.equal(disk.text, "one two three ");
  assert.equal(queue.isWaiting, false);
  add("four");
  assert.equal(disk.text, "one two three four");
  assert.deepEqual(said, ["refused", "taken"]);
  assert.equal(retries.length, 0);
});

test("[SHL-55] a disk that stays full is told once, and tried again and again", () => {
  const { disk, said, add, tryAgain, retries } = made(0);
  add("text");
  for (let times = 0; times < 5; times += 1) tryAgain();
  assert.deepEqual(said, ["refused"]);
  assert.equal(retries.length, 1);
  disk.room = 4;
  tryAgain();
  assert.equal(disk.text, "text");
  assert.deepEqual(said, ["refused", "taken"]);
});

test("[SHL-55] at the end the disk is tried once more, and what is lost is counted", () => {
  const { disk, queue, add, tryAgain } = made(0);
  add("first");
  add("second");
  disk.room = 7;
  assert.equal(queue.close(), 4);
  assert.equal(disk.text, "firstse");
  disk.room = 100;
  tryAgain();
  assert.equal(disk.text, "firstse", "nobody writes behind the end");
});
