/** `npm run agents:table`: runs the real agents and writes what they showed into `docs/agents.md`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { root } from "../e2e/house.ts";
import { page, RESULTS } from "./shown.ts";
import { withShown } from "./table.ts";

const Results = z.record(z.string(), z.record(z.string(), z.string()));

const directory = await mkdtemp(join(tmpdir(), "reprise-agents-table-"));
try {
  const run = spawn(
    process.execPath,
    [join(root, "scripts/test.ts"), join(root, "test/agents-real")],
    { env: { ...process.env, [RESULTS]: directory }, stdio: "inherit" },
  );
  const [code] = await once(run, "exit");
  if (code === 0) await writePage();
  else process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function writePage(): Promise<void> {
  let document = await readFile(page, "utf8");
  for (const file of await readdir(directory)) {
    const text = await readFile(join(directory, file), "utf8");
    document = withShown(document, Results.parse(JSON.parse(text)));
  }
  await writeFile(page, document);
}
