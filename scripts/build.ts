/** `npm run build`: what `npm pack` ships. Node does not strip types under `node_modules`, so it is JavaScript. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  buildBundle,
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
await writeBundle(await buildBundle(), join(dist, "bundle"));
