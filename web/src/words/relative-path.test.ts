import assert from "node:assert/strict";
import { test } from "node:test";
import { relativeTo } from "./relative-path.ts";

test("[PAG-304] paths below the workspace are told as they are seen from there", () => {
  const told = (text: string) => relativeTo(text, ["/work/app", "/old/app/"]);
  assert.equal(told("Read /work/app/src/a.ts"), "Read src/a.ts");
  assert.equal(told("/work/app/a /work/app/b"), "a b");
  assert.equal(
    told("Edit `/old/app/a.ts` (/old/app/b.ts)"),
    "Edit `a.ts` (b.ts)",
  );
  for (const other of [
    "/other/work/app/a.ts",
    "/work/apple/a.ts",
    "/work/app",
    "x/work/app/a.ts",
    "",
  ])
    assert.equal(told(other), other);
  assert.equal(relativeTo("Read /etc/hosts", ["/"]), "Read /etc/hosts");
});
