import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { cFunctions } from "./c-library.ts";

const strings = {
  strlen: { arguments: ["buffer"], return: "u64" },
  strchr: { arguments: ["buffer", "i32"], return: "pointer" },
  abs: { arguments: ["i32"], return: "i32" },
} as const;

test("functions of the C library are called with values of their types", () => {
  const c = cFunctions(strings) ?? assert.fail("there is no native module");
  const text = Buffer.from("seven c\0");
  assert.equal(c.strlen(text), 7);
  assert.equal(typeof c.strchr(text, "c".charCodeAt(0)), "bigint");
  assert.equal(c.strchr(text, "x".charCodeAt(0)), null);
  assert.equal(c.abs(-3), 3);
});

test("a number that JavaScript cannot hold exactly is a bigint", () => {
  const c = cFunctions({
    strtoull: { arguments: ["buffer", "pointer", "i32"], return: "u64" },
  });
  assert.ok(c !== null);
  const parsed = (text: string) =>
    c.strtoull(Buffer.from(`${text}\0`), null, 10);
  assert.equal(parsed("9007199254740991"), Number.MAX_SAFE_INTEGER);
  assert.equal(parsed("18446744073709551615"), 0xffff_ffff_ffff_ffffn);
});

test("where one of them is missing, all are", () => {
  assert.equal(
    cFunctions({
      ...strings,
      no_such_function: { arguments: [], return: "i32" },
    }),
    null,
  );
});

test("threads call them too, at the same time", async () => {
  const source = `
    import { cFunctions } from ${JSON.stringify(import.meta.resolve("./c-library.ts"))};
    import { parentPort } from "node:worker_threads";
    const c = cFunctions({ abs: { arguments: ["i32"], return: "i32" } });
    let sum = 0;
    for (let n = 0; n < 1000; n += 1) sum += c.abs(-n);
    parentPort.postMessage(sum);
  `;
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const sums = await Promise.all(
    [1, 2, 3].map(
      () =>
        new Promise((resolve, reject) => {
          const thread = new Worker(url);
          thread.once("message", resolve).once("error", reject);
        }),
    ),
  );
  assert.deepEqual(sums, [499_500, 499_500, 499_500]);
});
