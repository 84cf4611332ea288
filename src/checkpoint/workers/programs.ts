import { extname, join } from "node:path";
import type { ThreadProgram } from "../threads/thread.ts";

/** Beside this file, in a clone, in the package and in agentctl's bundle alike. */
const pathOf = (name: string): string =>
  join(import.meta.dirname, `${name}${extname(import.meta.filename)}`);

/** It makes tens of thousands of short-lived objects: with room for them most never have to be looked at. */
export const WORKER: ThreadProgram = {
  path: pathOf("checkpoint-worker"),
  youngMegabytes: 48,
};

/** It has few objects and many buffers of a megabyte, which are only given back when the objects are looked at. */
export const SIDE_WORKER: ThreadProgram = {
  path: pathOf("checkpoint-side-worker"),
  youngMegabytes: 3,
};
