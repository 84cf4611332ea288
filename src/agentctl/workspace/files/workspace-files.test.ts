import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import {
  MAX_READ_BYTES,
  MAX_WRITE_BYTES,
} from "../../../contract/base/file-limits.ts";
import type { ReadFile } from "../../../contract/link/link-files.ts";
import { until } from "../../../kit/fixtures/patience.ts";
import { withDaemon } from "../../fixtures/bench.ts";
import { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { FileThreads } from "./file-threads.ts";
import { sentOf } from "./file-state.ts";
import { WorkspaceFiles } from "./workspace-files.ts";

const scene = async (t: TestContext) => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "files-")));
  const home = join(directory, "home");
  for (const name of ["home/agentctl", "work"])
    await mkdir(join(directory, name), { recursive: true });
  const storage = new CheckpointStorage(home, () => undefined);
  const files = new WorkspaceFiles(storage);
  t.after(async () => {
    await Promise.all([files.close(), storage.close()]);
    await rm(directory, { recursive: true, maxRetries: 10 });
  });
  const cwd = join(directory, "work");
  const put = (path: string, text: string, more = {}) =>
    files.put({ cwd, path, ...more }, pieces(Buffer.from(text)));
  const open = async (path: string, more: Partial<ReadFile> = {}) => {
    const opened = await files.open({ cwd, path, only_look: false, ...more });
    try {
      return {
        head: opened.head,
        text: (await buffer(opened.content)).toString(),
      };
    } finally {
      await opened.close();
    }
  };
  return { directory, cwd, files, storage, put, open };
};

async function* pieces(...all: readonly Uint8Array[]) {
  yield* all;
}

test("[WSP-10] [WSP-11] bytes come by range and by etag, and no more than a read may tell", () => {
  const file = { etag: '"1"', size: 100, modified_at: "" };
  const look = { only_look: false };
  const whole = { sent: "whole", start: 0, length: 100 };
  assert.deepEqual(sentOf(look, file), whole);
  const part = (range: ReadFile["range"], size = 100) => {
    const { sent, start, length } = sentOf(
      { ...look, ...(range && { range }) },
      { ...file, size },
    );
    return [sent, start, length];
  };
  assert.deepEqual(part({ first: 10, last: 19 }), ["partial", 10, 10]);
  assert.deepEqual(part({ first: 90 }), ["partial", 90, 10]);
  assert.deepEqual(part({ first: 90, last: 1000 }), ["partial", 90, 10]);
  assert.deepEqual(part({ suffix: 3 }), ["partial", 97, 3]);
  assert.deepEqual(part({ suffix: 1000 }), ["partial", 0, 100]);
  for (const range of [{ first: 100 }, { suffix: 0 }])
    assert.equal(part(range)[0], "unsatisfiable");
  assert.equal(part({ first: 0 }, 0)[0], "unsatisfiable");
  const large = MAX_READ_BYTES * 2;
  assert.deepEqual(part({ first: 5 }, large), ["partial", 5, MAX_READ_BYTES]);
  assert.throws(() => part(undefined, large), { code: "file_too_large" });
  const held = { ...look, if_none_match: ['"1"'] };
  assert.equal(sentOf(held, file).sent, "unchanged");
  assert.equal(sentOf({ ...held, if_none_match: ['"2"'] }, file).sent, "whole");
  assert.throws(() => sentOf({ ...look, if_match: ['"2"'] }, file), {
    code: "precondition_failed",
  });
  const range = { first: 5 };
  assert.equal(sentOf({ ...look, range, if_range: '"2"' }, file).sent, "whole");
  assert.equal(
    sentOf({ ...look, range, if_range: '"1"' }, file).sent,
    "partial",
  );
  assert.equal(sentOf({ only_look: true, range }, file).sent, "look");
});

test("[WSP-12] what a file is, is told by its first bytes", async (t) => {
  const { cwd, open } = await scene(t);
  await writeFile(join(cwd, "text"), `ü${"é".repeat(8000)}`);
  await writeFile(join(cwd, "zero"), "a\0b");
  await writeFile(join(cwd, "latin"), Buffer.from([0x61, 0xff, 0x62]));
  await writeFile(join(cwd, "empty"), "");
  const text = async (path: string) => {
    const { head } = await open(path);
    return head.kind === "file" && head.text;
  };
  assert.equal(await text("text"), true);
  assert.equal(await text("empty"), true);
  assert.equal(await text("zero"), false);
  assert.equal(await text("latin"), false);
});

test("[WSP-13] [WSP-14] a file is replaced whole, keeps its mode, and only where it is what the caller knows", async (t) => {
  const { cwd, put, open } = await scene(t);
  const made = await put("a/b/file", "one", { if_none_match: "*" });
  assert.equal(made.created, true);
  await chmod(join(cwd, "a/b/file"), 0o751);
  const { head } = await open("a/b/file");
  assert.ok(head.kind === "file");
  await assert.rejects(put("a/b/file", "two", { if_match: [made.etag] }), {
    code: "precondition_failed",
  });
  const next = await put("a/b/file", "two", { if_match: [head.etag] });
  assert.equal(next.created, false);
  assert.equal((await stat(join(cwd, "a/b/file"))).mode & 0o777, 0o751);
  assert.equal((await open("a/b/file")).text, "two");
  for (const more of [{ if_none_match: "*" }, { if_match: ['"x"'] }])
    await assert.rejects(put("a/b/file", "lost", more), {
      code: "precondition_failed",
    });
  await assert.rejects(put("new/file", "lost", { if_match: "*" }), {
    code: "precondition_failed",
  });
  assert.deepEqual(await readdir(cwd), ["a"]);
  await symlink("a/b/file", join(cwd, "link"));
  await put("link", "by a link");
  assert.equal((await open("a/b/file")).text, "by a link");
  const before = (await open("link")).head;
  assert.ok(before.kind === "file");
  const known = { if_match: [before.etag] };
  const both = await Promise.allSettled([
    put("a/b/file", "x", known),
    put("a/b/file", "y", known),
  ]);
  const done = both.filter(({ status }) => status === "fulfilled");
  assert.equal(done.length, 1, "one of two writers wins");
});

test("[WSP-3] [WSP-5] [WSP-13] what is no file of the workspace is not written", async (t) => {
  const { directory, cwd, put } = await scene(t);
  execFileSync("mkfifo", [join(cwd, "fifo")]);
  await mkdir(join(cwd, "dir"));
  await symlink("..", join(cwd, "up"));
  await symlink("../made", join(cwd, "dangling"));
  const code = (path: string) =>
    put(path, "x").then(
      () => "done",
      (error: unknown) => Reflect.get(Object(error), "code"),
    );
  assert.equal(await code("fifo"), "not_a_file");
  assert.equal(await code("dir"), "not_a_file");
  assert.equal(await code("dir/"), "not_a_file");
  assert.equal(await code("up/file"), "path_outside");
  assert.equal(await code("dangling"), "path_outside");
  assert.equal(await code("../file"), "path_invalid");
  assert.equal(await code(""), "path_invalid");
  assert.equal(await code("fifo/x"), "not_a_directory");
  assert.deepEqual((await readdir(directory)).toSorted(), ["home", "work"]);
  assert.deepEqual((await readdir(cwd)).toSorted(), [
    "dangling",
    "dir",
    "fifo",
    "up",
  ]);
});

test("[WSP-15] a content that is cut off or too large changes nothing", async (t) => {
  const { cwd, files, put, open } = await scene(t);
  await put("file", "before");
  const cut = async function* () {
    yield Buffer.from("half of it");
    throw new Error("cut off");
  };
  for (const path of ["file", "new/file"])
    await assert.rejects(files.put({ cwd, path }, cut()), /cut off/);
  const piece = Buffer.alloc(MAX_WRITE_BYTES / 4);
  await assert.rejects(
    files.put({ cwd, path: "file" }, pieces(piece, piece, piece, piece, piece)),
    { code: "file_too_large" },
  );
  assert.equal((await open("file")).text, "before");
  assert.deepEqual(await readdir(cwd), ["file"]);
});

test("[WSP-16] a draft is in no checkpoint, and one that a killed agentctl left is removed by the next", () =>
  withDaemon(async (bench) => {
    const cwd = join(bench.home, "..", `${Date.now()}-work`);
    await mkdir(cwd);
    try {
      const data = await bench.data(await bench.link());
      const stream = data.streams.open("write_file", { cwd, path: "a/file" });
      await stream.push(Buffer.from("half of it"));
      await until(async () => (await readdir(cwd)).length === 1);
      const [draft = ""] = await readdir(cwd);
      assert.match(draft, /^\.reprise-restore-/);
      await bench.daemon.kill();
      await bench.down();
      assert.equal(existsSync(join(cwd, draft)), true);
      await bench.daemonUp();
      const next = await bench.data(await bench.link());
      const writing = next.streams.open("write_file", { cwd, path: "file" });
      await writing.push(Buffer.from("whole"));
      await writing.finish();
      const answer = await buffer(writing);
      assert.match(answer.toString(), /"created":true/);
      assert.deepEqual(await readdir(cwd), ["file"]);
      assert.equal(await readFile(join(cwd, "file"), "utf8"), "whole");
    } finally {
      await rm(cwd, { recursive: true, maxRetries: 10 });
    }
  }));

test("[WSP-16] a save passes a draft over while it is made", async (t) => {
  const { cwd, files, storage } = await scene(t);
  const goOn = Promise.withResolvers<void>();
  const content = async function* () {
    yield Buffer.from("half");
    await goOn.promise;
  };
  const writing = files.put({ cwd, path: "file" }, content());
  await until(async () => (await readdir(cwd)).length === 1);
  const vault = await storage.vault();
  const { tree } = await vault.save({ root: cwd, cacheKey: null });
  const listed = (await vault.list(tree)).map(({ path }) => path);
  assert.deepEqual(listed, [""]);
  goOn.resolve();
  await writing;
});

test("[WSP-7] a thread that does not answer is given up, and another takes its place", async (t) => {
  const { cwd } = await scene(t);
  const impatient = new FileThreads(0);
  t.after(() => impatient.close());
  const list = { cwd, path: "", limit: 1 };
  await assert.rejects(impatient.call("list", list), { code: "timed_out" });
  const patient = new FileThreads();
  t.after(() => patient.close());
  const all = await Promise.all(
    Array.from({ length: 20 }, () => patient.call("list", list)),
  );
  assert.equal(all.length, 20);
});
