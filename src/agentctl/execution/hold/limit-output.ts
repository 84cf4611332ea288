/** Keeps the files that an agent writes from growing for ever. It appends to them, so it goes on behind what is left. */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { cFunctions } from "../../../kit/c-library.ts";

/** Shortens a file that is over the limit to its newest quarter of that. What is written meanwhile may get lost. */
export const keepNewest = (path: string, limit: number): void => {
  if (statSync(path).size <= limit) return;
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const newest = Buffer.alloc(Math.floor(limit / 4));
    const read = readSync(file, newest, 0, newest.length, size - newest.length);
    ftruncateSync(file, writeSync(file, newest, 0, read, 0));
  } finally {
    closeSync(file);
  }
};

/**
 * Gives the beginning of a file back to the file system, where that can do it. The file keeps its length, so that offsets
 * mean what they meant; zeros are read in the place of what was there.
 */
export const punchHole = (path: string, bytes: number): void => {
  if (fallocate === null) return;
  const file = openSync(path, "r+");
  try {
    fallocate(file, KEEP_SIZE | PUNCH_HOLE, 0, bytes);
  } finally {
    closeSync(file);
  }
};

const KEEP_SIZE = 1;
const PUNCH_HOLE = 2;

/** Linux has it. */
const fallocate =
  cFunctions({
    fallocate: { arguments: ["i32", "i32", "i64", "i64"], return: "i32" },
  })?.fallocate ?? null;
