import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test, type TestContext } from "node:test";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { DirectoryPage } from "../../../contract/session/workspace-file.ts";
import { listDirectory } from "./list-directory.ts";
import { openFile } from "./read-write.ts";

const SECRET = "the secret of somebody else";

interface Scene {
  cwd: string;
  /** A directory that is not of the workspace. */
  outside: string;
  read(path: string): string;
  list(path: string, page?: { after?: string; limit?: number }): string[];
}

const scene = (t: TestContext): Scene => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "walk-")));
  // Node gives up on paths that are too long.
  t.after(() => execFileSync("rm", ["-rf", directory]));
  const [cwd, outside] = [join(directory, "work"), join(directory, "outside")];
  for (const each of [cwd, outside]) mkdirSync(each);
  writeFileSync(join(outside, "file"), SECRET);
  return {
    cwd,
    outside,
    read: (path) => readAll(cwd, path),
    list: (path, page = {}) =>
      listDirectory({ cwd, path, limit: 1000, ...page }).entries.map(
        ({ name }) => name,
      ),
  };
};

const readAll = (cwd: string, path: string): string => {
  const { head, descriptor } = openFile({ cwd, path, only_look: false });
  assert.equal(head.kind, "file");
  if (descriptor === null) return "";
  try {
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
};

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof LinkError) return error.code;
    throw error;
  }
  return "done";
};

test("[WSP-3] links inside of the workspace work, those that lead out are refused", (t) => {
  const { cwd, outside, read, list } = scene(t);
  mkdirSync(join(cwd, "a/b"), { recursive: true });
  writeFileSync(join(cwd, "a/file"), "inside");
  symlinkSync("../file", join(cwd, "a/b/up"));
  symlinkSync(join(cwd, "a"), join(cwd, "absolute"));
  symlinkSync("a/b/../../a", join(cwd, "climbing"));
  symlinkSync("absolute/b/up", join(cwd, "chain"));
  symlinkSync(".", join(cwd, "self"));
  for (const path of [
    "a/file",
    "a/b/up",
    "absolute/file",
    "climbing/file",
    "chain",
    "self/self/a/file",
  ])
    assert.equal(read(path), "inside", path);
  assert.deepEqual(list("absolute"), ["b", "file"]);

  symlinkSync(outside, join(cwd, "out"));
  symlinkSync("../outside/file", join(cwd, "out-file"));
  symlinkSync("a/../../outside", join(cwd, "out-by-turns"));
  symlinkSync(`${cwd}/../outside`, join(cwd, "out-absolute"));
  symlinkSync("/proc/self/root", join(cwd, "out-magic"));
  for (const path of [
    "out/file",
    "out",
    "out-file",
    "out-by-turns/file",
    "out-absolute/file",
    "out-magic/etc/passwd",
    "self/out/file",
  ])
    assert.equal(
      codeOf(() => read(path)),
      "path_outside",
      path,
    );
  assert.equal(
    codeOf(() => list("out")),
    "path_outside",
  );
});

test("[WSP-3] links in a circle, and more than forty of them, are refused", (t) => {
  const { cwd, read } = scene(t);
  symlinkSync("two", join(cwd, "one"));
  symlinkSync("one", join(cwd, "two"));
  assert.equal(
    codeOf(() => read("one")),
    "too_many_links",
  );
  writeFileSync(join(cwd, "l0"), "end");
  for (let at = 1; at <= 41; at++)
    symlinkSync(`l${at - 1}`, join(cwd, `l${at}`));
  assert.equal(read("l40"), "end");
  assert.equal(
    codeOf(() => read("l41")),
    "too_many_links",
  );
});

test("[WSP-1] [WSP-5] what is no file, is not there or has too long a name is refused with a code", async (t) => {
  const { cwd, read } = scene(t);
  execFileSync("mkfifo", [join(cwd, "fifo")]);
  await using server = createServer().listen(join(cwd, "socket"));
  await once(server, "listening");
  writeFileSync(join(cwd, "file"), "text");
  for (const path of ["fifo", "socket"])
    assert.equal(
      codeOf(() => read(path)),
      "not_a_file",
      path,
    );
  assert.equal(
    codeOf(() => readAll("/dev", "null")),
    "not_a_file",
  );
  assert.equal(
    codeOf(() => read("none/file")),
    "path_not_found",
  );
  assert.equal(
    codeOf(() => read("file/file")),
    "not_a_directory",
  );
  assert.equal(
    codeOf(() => read("file/")),
    "not_a_directory",
  );
  assert.equal(
    codeOf(() => read("x".repeat(300))),
    "path_invalid",
  );
  assert.equal(
    codeOf(() => readAll(join(cwd, "none"), "file")),
    "workspace_missing",
  );
});

test("[WSP-2] [WSP-3] names that are no text and paths longer than the system takes are found", (t) => {
  const { cwd, outside, list, read } = scene(t);
  const odd = Buffer.from("odd-\xff\x80", "latin1");
  writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), odd]), "odd");
  const page = listDirectory({ cwd, path: "", limit: 10 });
  const [entry] = page.entries;
  assert.equal(entry?.name_bytes, odd.toString("base64"));
  assert.equal(read(entry?.name ?? ""), "odd");
  // In two halves: no system call takes the whole path.
  const names = Array.from({ length: 30 }, () => "d".repeat(200));
  const [upper, lower] = [names.slice(0, 15), names.slice(15)];
  mkdirSync(join(cwd, ...upper), { recursive: true });
  mkdirSync(join(outside, ...lower), { recursive: true });
  writeFileSync(join(outside, ...lower, "file"), "deep\n");
  const top = names[0] ?? "";
  renameSync(join(outside, top), join(cwd, ...upper, top));
  assert.equal(read([...names, "file"].join("/")), "deep\n");
  assert.deepEqual(list(names.join("/")), ["file"]);
});

test("[WSP-4] a directory that is swapped for a link while it is walked leads nobody out", async (t) => {
  const { cwd, outside, read, list } = scene(t);
  mkdirSync(join(cwd, "dir"));
  writeFileSync(join(cwd, "dir/file"), "inside");
  symlinkSync(outside, join(cwd, "link"));
  const program = resolve(import.meta.dirname, "../../fixtures/swapper.ts");
  const swapper = spawn(
    process.execPath,
    [program, join(cwd, "dir"), join(cwd, "link")],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    await once(swapper.stdout, "data");
    const descriptors = readdirSync("/proc/self/fd").length;
    const seen = new Set<string>();
    for (let round = 0; round < 3000; round++) {
      seen.add(codeOf(() => assert.equal(read("dir/file"), "inside")));
      seen.add(codeOf(() => assert.deepEqual(list("dir"), ["file"])));
    }
    assert.deepEqual(
      [...seen].filter(
        (code) => !["done", "path_outside", "path_not_found"].includes(code),
      ),
      [],
    );
    assert.equal(readdirSync("/proc/self/fd").length, descriptors);
  } finally {
    swapper.kill("SIGKILL");
    await once(swapper, "close");
  }
});

test("[WSP-8] [WSP-9] a directory is listed page by page: directories first, then by bytes", (t) => {
  const { cwd } = scene(t);
  for (const name of ["b", "Z", "é"]) mkdirSync(join(cwd, name));
  for (const name of ["a", "c", "B"]) writeFileSync(join(cwd, name), "12345");
  writeFileSync(join(cwd, "run"), "", { mode: 0o755 });
  symlinkSync("../nowhere", join(cwd, "link"));
  execFileSync("mkfifo", [join(cwd, "fifo")]);
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page: DirectoryPage = listDirectory({
      cwd,
      path: "",
      limit: 2,
      ...(after !== null && { after }),
    });
    pages.push(page.entries.map(({ name }) => name));
    after = page.next;
    // What comes before the cursor is not missed, what goes is not told.
    writeFileSync(join(cwd, "A"), "");
    rmSync(join(cwd, "c"), { force: true });
  } while (after !== null);
  assert.deepEqual(pages, [
    ["Z", "b"],
    ["é", "A"],
    ["B", "a"],
    ["fifo", "link"],
    ["run"],
  ]);
  const { entries } = listDirectory({ cwd, path: "", limit: 100 });
  const kinds = Object.fromEntries(
    entries.map(({ name, kind, executable }) => [name, { kind, executable }]),
  );
  assert.deepEqual(kinds["b"], { kind: "directory", executable: false });
  assert.deepEqual(kinds["run"], { kind: "file", executable: true });
  assert.deepEqual(kinds["fifo"], { kind: "other", executable: false });
  const link = entries.find(({ kind }) => kind === "link");
  assert.equal(link?.target, "../nowhere");
  assert.equal(entries.find(({ name }) => name === "a")?.size, 5);
});

test("[WSP-6] what is mounted into a workspace is part of it", () => {
  const { entries } = listDirectory({
    cwd: "/",
    path: "proc/self",
    limit: 1000,
  });
  assert.ok(entries.some(({ name }) => name === "status"));
});
