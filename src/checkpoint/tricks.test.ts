/** Changes that hide: the same size, the same times, the same names. Each of them is in the next checkpoint. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "./fixtures/bench.ts";
import { judge } from "./fixtures/judge.ts";

type At = (name: string) => string;

/** Whole seconds can be set exactly. */
const LONG_AGO = 1_700_000_000;

const put = (path: string, text: string): void => {
  writeFileSync(path, text);
  utimesSync(path, LONG_AGO, LONG_AGO);
};

const fill = (at: At): void => {
  for (const directory of ["d1/deep", "d2/deep"])
    mkdirSync(at(directory), { recursive: true });
  for (const name of [
    "a",
    "b",
    "linked",
    "d1/f",
    "d2/f",
    "d1/deep/f",
    "d2/deep/f",
  ])
    put(at(name), name.padEnd(20));
  linkSync(at("linked"), at("second name"));
  symlinkSync("a", at("link"));
  for (const directory of ["d1/deep", "d2/deep", "d1", "d2"])
    utimesSync(at(directory), LONG_AGO, LONG_AGO);
};

const swap = (a: string, b: string): void => {
  renameSync(a, `${a}.moved`);
  renameSync(b, a);
  renameSync(`${a}.moved`, b);
};

const TRICKS: Record<string, (at: At) => void> = {
  "rewritten, and its time put back": (at) => put(at("a"), "A".padEnd(20)),
  "replaced by a file of the same size and time": (at) => {
    put(at("draft"), "A".padEnd(20));
    renameSync(at("draft"), at("a"));
  },
  "removed and made again": (at) => {
    rmSync(at("a"));
    put(at("a"), "A".padEnd(20));
  },
  "copied over with all its times": (at) => {
    execFileSync("cp", ["-p", at("b"), at("a")]);
  },
  "touched like another": (at) => {
    copyFileSync(at("b"), at("a"));
    execFileSync("touch", ["-r", at("b"), at("a")]);
  },
  "two files swapped": (at) => swap(at("a"), at("b")),
  "two directories swapped, with the same names in them": (at) => {
    swap(at("d1"), at("d2"));
    for (const name of ["d1", "d2"]) utimesSync(at(name), LONG_AGO, LONG_AGO);
  },
  "a directory put in the place of another": (at) => {
    rmSync(at("d1"), { recursive: true });
    renameSync(at("d2"), at("d1"));
  },
  "changed under another name": (at) =>
    put(at("second name"), "other".padEnd(20)),
  "a second name given to another file": (at) => {
    linkSync(at("b"), at("draft"));
    renameSync(at("draft"), at("second name"));
  },
  "no longer one file, but two that are equal": (at) => {
    copyFileSync(at("linked"), at("draft"));
    utimesSync(at("draft"), LONG_AGO, LONG_AGO);
    renameSync(at("draft"), at("second name"));
  },
  "a link that leads elsewhere, with its old time": (at) => {
    const { mtimeMs } = lstatSync(at("link"));
    rmSync(at("link"));
    symlinkSync("b", at("link"));
    lutimesSync(at("link"), mtimeMs / 1000, mtimeMs / 1000);
  },
  "a file where a link was, and a link where a file was": (at) => {
    rmSync(at("link"));
    put(at("link"), "a");
    rmSync(at("b"));
    symlinkSync("x".repeat(20), at("b"));
  },
  "a file added and one removed, and the time of the directory put back": (
    at,
  ) => {
    put(at("d1/new"), "new");
    rmSync(at("d1/f"));
    utimesSync(at("d1"), LONG_AGO, LONG_AGO);
  },
};

for (const place of [tmpdir(), "/dev/shm"])
  test(`[CHK-6] no change hides behind sizes and times, in ${place}`, async (t) => {
    for (const [name, trick] of Object.entries(TRICKS))
      await t.test(name, async () => {
        await using bench = await Bench.make(place);
        const at: At = (path) => join(bench.workspace, path);
        fill(at);
        // Old enough, and then known to be.
        const { ctimeMs } = statSync(at("d2"));
        while (Date.now() <= ctimeMs + 100) await new Promise(setImmediate);
        const before = await bench.save();
        await bench.assertIs(before.tree, judge(bench.workspace));
        trick(at);
        const { tree } = await bench.save();
        assert.notEqual(tree, before.tree);
        await bench.assertIs(tree, judge(bench.workspace));
      });
  });
