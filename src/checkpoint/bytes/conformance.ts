/** What every place for packs must do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bytes } from "./bytes.ts";

export const bytesConformance = (
  name: string,
  withBytes: (work: (bytes: Bytes) => Promise<void>) => Promise<void>,
): void => {
  const check = (what: string, work: (bytes: Bytes) => Promise<void>): void =>
    void test(`[CHK-26] ${name}: ${what}`, () => withBytes(work));

  check("what is sealed is there as it was written", async (bytes) => {
    const draft = await bytes.draft("a.pack");
    await draft.append(Buffer.from("hello "));
    await draft.append(Buffer.from("world"));
    await draft.seal();
    assert.deepEqual(await bytes.list(), [{ name: "a.pack", size: 11 }]);
    assert.equal(textOf(await bytes.read("a.pack", 3, 5)), "lo wo");
    assert.equal(textOf(await bytes.read("a.pack", 0, 11)), "hello world");
    assert.equal(textOf(await bytes.read("a.pack", 11, 0)), "");
  });

  check("what is not sealed is not there", async (bytes) => {
    const draft = await bytes.draft("a.pack");
    await draft.append(Buffer.from("half"));
    assert.deepEqual(await bytes.list(), []);
    await assert.rejects(bytes.read("a.pack", 0, 1), { code: "not_found" });
    await draft.discard();
    assert.deepEqual(await bytes.list(), []);
  });

  check("many are written at once", async (bytes) => {
    const names = ["a", "b", "c", "d"].map((each) => `${each}.pack`);
    await Promise.all(
      names.map(async (name) => {
        const draft = await bytes.draft(name);
        for (let i = 0; i < 10; i++) await draft.append(Buffer.from(name));
        await draft.seal();
      }),
    );
    const there = (await bytes.list()).map(({ name }) => name);
    assert.deepEqual(there.toSorted(), names);
    for (const name of names)
      assert.equal(textOf(await bytes.read(name, 0, 60)), name.repeat(10));
  });

  check("reading beyond the end fails", async (bytes) => {
    const draft = await bytes.draft("a.pack");
    await draft.append(Buffer.from("short"));
    await draft.seal();
    await assert.rejects(bytes.read("a.pack", 3, 3), { code: "damaged" });
    await assert.rejects(bytes.read("a.pack", 9, 1), { code: "damaged" });
  });

  check("removing is final, and may be done twice", async (bytes) => {
    const draft = await bytes.draft("a.pack");
    await draft.append(Buffer.from("x"));
    await draft.seal();
    await bytes.read("a.pack", 0, 1);
    await bytes.remove("a.pack");
    await bytes.remove("a.pack");
    assert.deepEqual(await bytes.list(), []);
    await assert.rejects(bytes.read("a.pack", 0, 1), { code: "not_found" });
  });

  check("a large one goes through in many steps", async (bytes) => {
    const draft = await bytes.draft("a.pack");
    const part = Buffer.alloc(1 << 20, "x");
    for (let i = 0; i < 10; i++) await draft.append(part);
    await draft.seal();
    assert.deepEqual(await bytes.list(), [
      { name: "a.pack", size: 10 * part.length },
    ]);
  });
};

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
