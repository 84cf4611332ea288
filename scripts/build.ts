/** `npm run build`: what `npm pack` ships. Node does not strip types under `node_modules`, so it is JavaScript. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildBundle,
  packagesOf,
  writeBundle,
} from "../src/executors/standalone/bundle.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });

const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"],
  { cwd: root, stdio: "inherit" },
);
if (status !== 0) process.exit(status ?? 1);

const bundle = await buildBundle();
await writeBundle(bundle, join(dist, "bundle"));

// Programs that carry others' code carry their licences too.
const carried = new Set([...bundle.inputs.values()].flatMap(packagesOf));
const licences = [...carried]
  .toSorted()
  .map(
    (name) =>
      `${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8")}`,
  );
writeFileSync(join(dist, "bundle/LICENSES.txt"), licences.join("\n---\n\n"));
