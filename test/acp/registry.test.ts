/** What the registry of ACP agents is given. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { parse } from "../../src/cli/parsing/parse.ts";
import { commands } from "../../src/cli/commands.ts";
import { root } from "../e2e/house.ts";

const read = (path: string): Promise<string> =>
  readFile(join(root, path), "utf8");

/** As the schema of the registry asks for it. */
const Manifest = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1),
  license: z.string(),
  license_url: z.url(),
  distribution: z.strictObject({
    npx: z.strictObject({ package: z.string(), args: z.array(z.string()) }),
  }),
});

const Package = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  files: z.array(z.string()),
});

test("[ACP-26] the entry names this version of the package and a command that it has", async () => {
  const entry = Manifest.parse(JSON.parse(await read("acp/agent.json")));
  const { name, version, license, files } = Package.parse(
    JSON.parse(await read("package.json")),
  );
  assert.equal(entry.version, version);
  assert.equal(entry.license, license);
  assert.equal(entry.distribution.npx.package, `${name}@${version}`);
  assert.equal(parse(entry.distribution.npx.args, commands).kind, "run");
  assert.ok(files.includes("acp"));
});

test("[ACP-26] the icon is square and has the colour of the text around it", async () => {
  const icon = await read("acp/icon.svg");
  assert.match(icon, /width="16" height="16" viewBox="0 0 16 16"/);
  const colours = [...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)];
  for (const [, colour = ""] of colours)
    assert.ok(["none", "currentColor"].includes(colour), colour);
});
