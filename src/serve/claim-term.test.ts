import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { TERM_LIMIT } from "../contract/link/link.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { Captures } from "../runtime/places/captures.ts";
import { claimTerm } from "./claim-term.ts";

/** A home with a database of this term. */
const homeAt = async (t: TestContext, term: number) => {
  const home = await mkdtemp(join(tmpdir(), "claim-term-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  await mkdir(join(home, "agentctl"));
  const file = join(home, "agentctl", "term");
  const store = {
    claim: async (above = 0) => (term = Math.max(term, above) + 1),
  };
  return { home, file, store };
};

test("[REC-21] a term is above the database's and the one that agentctl has seen", async (t) => {
  const { home, file, store } = await homeAt(t, 4);
  assert.equal(await claimTerm(store, home), 5);
  await writeFile(file, "3\n");
  assert.equal(await claimTerm(store, home), 6);
  await writeFile(file, "70\n");
  assert.equal(await claimTerm(store, home), 71);
  await writeFile(file, "\0\0");
  assert.equal(await claimTerm(store, home), 72);
});

test("[REC-65] a number that no home can have reached is refused with the file and what to do", async (t) => {
  const { home, file, store } = await homeAt(t, 4);
  for (const spoilt of [TERM_LIMIT, 9_999_999, "9".repeat(20)]) {
    await writeFile(file, `${spoilt}\n`);
    await assert.rejects(claimTerm(store, home), (error) => {
      assert.ok(error instanceof RepriseError);
      assert.equal(error.code, "home_unusable");
      assert.ok(error.message.startsWith(`${file} is damaged`));
      assert.match(error.message, /Remove the file, then start again/);
      return true;
    });
  }
  await rm(file);
  assert.ok((await claimTerm(store, home)) < 20, "nothing of it is kept");
});

test("[REC-65] a home whose database already has such a term goes on", async (t) => {
  const { home, file, store } = await homeAt(t, 10_000_000);
  await writeFile(file, "10000000\n");
  assert.equal(await claimTerm(store, home), 10_000_001);
});

test("[REC-65] the highest term that is believed still numbers checkpoints with safe integers", async (t) => {
  const { home, file, store } = await homeAt(t, 4);
  await writeFile(file, `${TERM_LIMIT - 1}\n`);
  const term = await claimTerm(store, home);
  const order = new Captures().nextOrder(term);
  assert.ok(Number.isSafeInteger(order + 2 ** 32 - 2), `${order}`);
  assert.ok(order > new Captures().nextOrder(term - 1));
});
