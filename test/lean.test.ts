/** Packages that an upgrade laid out otherwise than our bundler's plugins know them. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { build, stop } from "esbuild";
import { lean } from "../src/executors/standalone/lean.ts";

const root = await mkdtemp(join(tmpdir(), "reprise-lean-"));
after(async () => {
  await stop();
  await rm(root, { recursive: true });
});

/** Bundles a program that loads these files. */
const bundle = async (files: Record<string, string>): Promise<string> => {
  const directory = await mkdtemp(join(root, "a-"));
  const main = Object.keys(files).map(
    (path, index) => `export * as it${index} from "./${path}";`,
  );
  for (const [path, text] of Object.entries({
    ...files,
    "main.js": main.join("\n"),
  })) {
    await mkdir(join(directory, dirname(path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const { outputFiles } = await build({
    absWorkingDir: directory,
    entryPoints: ["main.js"],
    outdir: ".",
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    plugins: lean,
  });
  return outputFiles[0]?.text ?? "";
};

const ZOD = "node_modules/zod/v4";
const SDK = "node_modules/@agentclientprotocol/sdk/dist/v1";
const languages = {
  [`${ZOD}/locales/en.js`]: 'export default "english";',
  [`${ZOD}/locales/fr.js`]: 'export default "french";',
};
const index =
  'export { default as en } from "./en.js"; export { default as fr } from "./fr.js";';
const checks = "export const zA = z.object({\n  a: 1,\n});\nconst z = {};\n";

const fails = (files: Record<string, string>, words: RegExp): Promise<void> =>
  assert.rejects(bundle(files), ({ message }: Error) => words.test(message));

test("[PKG-7] packages that are as our plugins know them are bundled without what is never used", async () => {
  const text = await bundle({
    [`${ZOD}/locales/en.js`]: 'export default "english";',
    [`${ZOD}/locales/index.js`]: index,
    [`${SDK}/schema/zod.gen.js`]: checks,
    "server.js": 'export { createServer } from "http";',
  });
  assert.match(text, /later\(\(\) => z\.object/);
});

test("[PKG-7] the build fails with words when a package has become another", async () => {
  await fails(
    { ...languages, [`${ZOD}/locales/all.js`]: index },
    /messages in another language are bundled: .*fr\.js\. Mend/,
  );
  await fails(
    { [`${SDK}/schema/zod.gen.js`]: "export let zA = z.object({});\n" },
    /Of 0 checks of ACP's messages, 0 have the known form/,
  );
  await fails(
    {
      [`${SDK}/schema/zod.gen.js`]: `${checks}export const zB =\n\tz.object({});\n`,
    },
    /Of 2 checks of ACP's messages, 1 have the known form/,
  );
  await fails(
    { [`${SDK}/schema/checks.js`]: checks },
    /not where they were\. Mend/,
  );
  await fails(
    {
      [`${SDK}/schema/zod.gen.js`]: checks,
      [`${SDK}/schema/zod.more.js`]: checks,
    },
    /made at every start: .*zod\.more\.js\. Mend/,
  );
});
