/**
 * `npm run build`: what npm ships. Node does not strip types under `node_modules`, so it is JavaScript.
 *
 *   dist/                             of the package `reprise`, with agentctl's programs in `bundle/`
 *   dist/reprise-client/              the package `reprise-client`
 *   dist/reprise-client-VERSION.tgz   the same, packed
 */
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  buildBundle,
  packagesOf,
  writeBundle,
} from "../src/executors/standalone/bundle.ts";
import { buildClientPackage } from "./build/client-package.ts";
import { buildProgram } from "./build/program.ts";
import { compile } from "./build/run.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
const inputs = await buildProgram(root, dist);

const bundle = await buildBundle();
await writeBundle(bundle, join(dist, "bundle"));

// Programs that carry others' code carry their licences too.
const carried = new Set(
  [inputs, ...bundle.inputs.values()].flatMap(packagesOf),
);
const licences = [...carried]
  .toSorted()
  .map(
    (name) =>
      `${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8")}`,
  );
writeFileSync(join(dist, "LICENSES.txt"), licences.join("\n---\n\n"));

// `reprise/client/node`, which finds the server of this machine.
compile(root, "tsconfig.local.json");
const client = buildClientPackage(root, dist);
// Whoever installs the program has the client too, as `reprise/client`.
for (const entry of readdirSync(client, { withFileTypes: true }))
  if (entry.isDirectory())
    cpSync(join(client, entry.name), join(dist, entry.name), {
      recursive: true,
    });
