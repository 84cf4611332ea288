import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  ReadFile,
  ReadFileOptions,
} from "../../../../src/client/workspace.ts";
import { RepriseError } from "../../../../src/contract/problem/problem.ts";
import { contentOf, imageTypeOf, linesOf } from "./content.ts";
import { FIRST_BYTES, OpenFile } from "./open-file.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A file as the server tells it: ranges and etags hold. */
const disk = (text: string) => {
  const file = { text, version: 1, isThere: true };
  const readFile = async (
    _: string,
    _path: string,
    { range, ifMatch, ifNoneMatch }: ReadFileOptions = {},
  ): Promise<ReadFile | null> => {
    const all = bytesOf(file.text);
    const etag = `"${file.version}"`;
    if (!file.isThere) throw new RepriseError("path_not_found", "Gone.");
    if (ifNoneMatch === etag) return null;
    if (ifMatch !== undefined && ifMatch !== etag)
      throw new RepriseError("precondition_failed", "Another file.");
    const first = range?.first ?? 0;
    if (first >= all.length)
      throw new RepriseError("range_not_satisfiable", "No such bytes.");
    return {
      bytes: all.slice(first, (range?.last ?? all.length) + 1),
      start: first,
      size: all.length,
      etag,
      text: true,
      modified_at: "2026-11-18T12:00:00.000Z",
    };
  };
  const write = (text: string): void => {
    file.text = text;
    file.version += 1;
  };
  return { file, write, open: new OpenFile({ readFile }, "ses_1", "a") };
};

const textOf = (open: OpenFile): string => {
  const state = open.get();
  return state.kind === "shown" && state.file.content.kind === "text"
    ? state.file.content.text
    : state.kind;
};

const staleOf = (open: OpenFile): string | null => {
  const state = open.get();
  return state.kind === "shown" ? state.stale : null;
};

test("[PAG-117] a long text is read in parts, whose characters are whole", async () => {
  const text = "é".repeat(FIRST_BYTES);
  const { open } = disk(`a${text}`);
  await open.load();
  assert.equal(textOf(open), `a${text.slice(0, FIRST_BYTES / 2 - 1)}`);
  await open.more();
  assert.equal(textOf(open), `a${text}`);
});

test("[PAG-117] no part of another file is put behind what was read", async () => {
  const { open, write } = disk("a".repeat(FIRST_BYTES + 1));
  await open.load();
  write("b".repeat(FIRST_BYTES + 1));
  await open.more();
  assert.equal(staleOf(open), "changed");
  assert.equal(textOf(open), "a".repeat(FIRST_BYTES));
});

test("[PAG-118] a file that changed or is gone is told, and read again only when somebody says so", async () => {
  const { open, write, file } = disk("one");
  await open.load();
  await open.check();
  assert.equal(staleOf(open), null);
  write("two");
  await open.check();
  assert.deepEqual([staleOf(open), textOf(open)], ["changed", "one"]);
  await open.load();
  assert.deepEqual([staleOf(open), textOf(open)], [null, "two"]);
  file.isThere = false;
  await open.check();
  assert.deepEqual([staleOf(open), textOf(open)], ["gone", "two"]);
});

test("[PAG-116] [PAG-118] an empty file is told as such, and that it got bytes", async () => {
  const { open, write } = disk("");
  await open.load();
  const state = open.get();
  assert.equal(state.kind === "shown" && state.file.content.kind, "empty");
  await open.check();
  assert.equal(staleOf(open), null);
  write("x");
  await open.check();
  assert.equal(staleOf(open), "changed");
});

test("[PAG-116] the bytes say what a file is: no name and no server does", () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const of = (bytes: Uint8Array, text: boolean, size = bytes.length) =>
    contentOf({ text, size }, bytes).kind;
  assert.equal(of(png, false), "image");
  assert.equal(of(png, false, 5 * 1024 * 1024), "binary");
  assert.equal(of(Uint8Array.from([0, 1, 2]), false), "binary");
  assert.equal(of(bytesOf("<svg onload=alert(1)>"), true), "text");
  assert.equal(imageTypeOf(bytesOf("RIFF0000WEBP")), "image/webp");
  assert.equal(imageTypeOf(bytesOf("GIF89a")), "image/gif");
  assert.deepEqual(linesOf("a\r\nb\n\n"), ["a", "b", ""]);
});
