/** The pictures of the page that documents have: `npm run shots -- --docs` makes them. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { dirname, relative } from "node:path/posix";
import { test } from "node:test";
import {
  documented,
  PICTURES,
  pictureName,
} from "../../scripts/shots/documented.ts";

const root = resolve(import.meta.dirname, "../..");
const MAX_BYTES = 200_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

test("[PAG-262] each picture is a small PNG, and its document shows it with words for those who do not see it", async () => {
  for (const picture of documented) {
    const name = pictureName(picture);
    const bytes = await readFile(join(root, PICTURES, name));
    assert.deepEqual(bytes.subarray(0, PNG.length), PNG, name);
    assert.ok(bytes.length < MAX_BYTES, `${name} has ${bytes.length} bytes`);
    const text = await readFile(join(root, picture.document), "utf8");
    const link = relative(dirname(picture.document), `${PICTURES}/${name}`);
    const [, alt = ""] =
      new RegExp(`!\\[([^\\]]*)\\]\\(${link}\\)`).exec(text) ?? [];
    assert.ok(alt.length > 20, `${picture.document} does not show ${link}`);
  }
});

test("[PAG-262] there are no other pictures", async () => {
  assert.deepEqual(
    (await readdir(join(root, PICTURES))).sort(),
    documented.map(pictureName).sort(),
  );
});
