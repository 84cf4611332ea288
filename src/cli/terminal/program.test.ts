import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { asCalled, programOf } from "./program.ts";

test("its plain name where the shell finds this very program by it, else the path it was called by", async (t) => {
  const place = await mkdtemp(join(tmpdir(), "reprise-program-"));
  t.after(() => rm(place, { recursive: true }));
  const [ours, theirs] = [join(place, "ours"), join(place, "theirs")];
  await mkdir(ours);
  await mkdir(theirs);
  const script = join(place, "script");
  await writeFile(script, "");
  await symlink(script, join(ours, "reprise"));
  await writeFile(join(theirs, "reprise"), "");
  const empty = join(place, "empty");
  assert.equal(programOf(script, `${empty}:${ours}:${theirs}`), "reprise");
  assert.equal(programOf(join(ours, "reprise"), ours), "reprise");
  assert.equal(programOf(script, `${theirs}:${ours}`), script);
  assert.equal(programOf("bin/reprise", empty), "bin/reprise");
  assert.equal(programOf("my tools/reprise", empty), "'my tools/reprise'");
  assert.equal(programOf(undefined, ours), "reprise");
});

test("only commands are renamed", () => {
  assert.equal(
    asCalled(
      "reprise up\nTry `reprise up` in ~/.reprise or reprise it.\n$ x | reprise -",
      "bin/reprise",
    ),
    "bin/reprise up\nTry `bin/reprise up` in ~/.reprise or reprise it.\n$ x | bin/reprise -",
  );
});
