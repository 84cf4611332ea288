/**
 * `npm run build`: what npm ships. Node does not strip types under `node_modules`, so it is JavaScript.
 *
 *   dist/                             of the package `reprise`, with agentctl's programs in `bundle/` and the page in `page/`
 *   dist/reprise-client/              the package `reprise-client`
 *   dist/reprise-client-VERSION.tgz   the same, packed
 */
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  buildBundle,
  packagesOf,
  writeBundle,
} from "../src/executors/standalone/bundle.ts";
import { buildPage } from "../src/serve/page/build-page.ts";
import { buildClientPackage } from "./build/client-package.ts";
import { takePackagesOfPage, writeLicences } from "./build/licences.ts";
import { buildProgram } from "./build/program.ts";
import { compile } from "./build/run.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
const inputs = await buildProgram(root, dist);

const bundle = await buildBundle();
await writeBundle(bundle, join(dist, "bundle"));
await buildPage(root, join(dist, "page"));

// Programs that carry others' code carry their licences too.
const carried = [inputs, ...bundle.inputs.values()].flatMap(packagesOf);
writeLicences(root, dist, [...carried, ...takePackagesOfPage(dist)]);

// `reprise/client/node`, which finds the server of this machine.
compile(root, "tsconfig.local.json");
const client = buildClientPackage(root, dist);
// Whoever installs the program has the client too, as `reprise/client`.
for (const entry of readdirSync(client, { withFileTypes: true }))
  if (entry.isDirectory())
    cpSync(join(client, entry.name), join(dist, entry.name), {
      recursive: true,
    });
