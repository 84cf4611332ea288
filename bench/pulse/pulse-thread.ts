/** A little work every few milliseconds, for as long as the thread lives. It answers with all its beats. */
import { parentPort } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { now } from "../clock.ts";
import type { Beat } from "./absences.ts";

const EVERY_MS = 5;
/** Native code, always the same: what a compiler makes of a loop changes while it runs. */
const REPEAT = 6;
const bytes = Buffer.alloc(64 * 1024, 7);

const beats: Beat[] = [];
let begun = 0;
let ended = 0;
let spent = 0;

/** The system books a thread's time when it goes to sleep: what a beat took is known at the next. */
const beat = (): void => {
  const { user, system } = process.threadCpuUsage();
  if (begun > 0) beats.push({ begun, ended, cpu: user + system - spent });
  spent = user + system;
  begun = now();
  for (let n = 0; n < REPEAT; n += 1) crc32(bytes);
  ended = now();
};

setInterval(beat, EVERY_MS);
const port = parentPort;
port?.on("message", () => port.postMessage(beats));
