import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createFakeLog } from "../../server/fixtures/fake-site.ts";
import { pageOfClone } from "./find-page.ts";

/** A builder that writes a page with the time at which it was built, or fails. */
const BUILDER = `import { writeFileSync } from "node:fs";
const at = process.argv.find((each) => each.startsWith("--outDir=")).slice(9);
if (process.env.FAILS) { console.error("a fault in the sources"); process.exit(1); }
writeFileSync(at + "/index.html", "built at " + process.hrtime.bigint());
`;

const clone = async (withBuilder: boolean) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-clone-"));
  const write = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  for (const room of ["client", "contract", "session", "kit"])
    await write(`src/${room}/a.ts`, "");
  await write("package-lock.json", "{}");
  await write("web/vite.config.ts", "");
  await write("web/src/main.tsx", "");
  await write("node_modules/vite/package.json", '{"type":"module"}');
  if (withBuilder) await write("node_modules/vite/bin/vite.js", BUILDER);
  const told: string[] = [];
  const { signal } = new AbortController();
  return {
    directory,
    write,
    told,
    find: () =>
      pageOfClone(directory, {
        log: createFakeLog(),
        signal,
        tell: (words) => void told.push(words),
      }),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
};

const textOf = async (page: ReturnType<typeof pageOfClone>) => {
  const found = await page;
  assert.ok("template" in found);
  return found.template;
};

test("[PAG-12] the page of a clone is built once for its sources, and again when one of them changes", async () => {
  await using made = await clone(true);
  const first = await textOf(made.find());
  assert.equal(await textOf(made.find()), first);
  assert.equal(made.told.length, 1);
  await made.write("web/src/main.tsx", "// changed");
  assert.notEqual(await textOf(made.find()), first);
  assert.equal(made.told.length, 2);
});

test("[PAG-12] servers that start at once agree on one page, and leave no drafts", async () => {
  await using made = await clone(true);
  const pages = await Promise.all([1, 2, 3].map(() => textOf(made.find())));
  assert.equal(new Set(pages).size, 1);
  const kept = await readdir(
    join(made.directory, "node_modules/.cache/reprise/page"),
  );
  assert.equal(kept.length, 1);
});

test("[PAG-12] where what builds it is not installed, that is said", async () => {
  await using made = await clone(false);
  const found = await made.find();
  assert.ok("missing" in found);
  assert.match(found.missing, /npm install.*--omit=dev/);
});

test("[PAG-12] a build that fails says what the builder said", async (t) => {
  await using made = await clone(true);
  process.env["FAILS"] = "yes";
  t.after(() => delete process.env["FAILS"]);
  await assert.rejects(made.find(), /a fault in the sources/);
});
