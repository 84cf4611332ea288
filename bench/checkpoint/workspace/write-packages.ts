/** One of the hands that write a tree of packages: every other package is its own. */
import { workerData } from "node:worker_threads";
import * as z from "zod";
import { placements, writePackage } from "./npm-tree.ts";

const { root, files, hand } = z
  .object({ root: z.string(), files: z.number(), hand: z.number() })
  .parse(workerData);

for (const [at, placement] of placements(files).entries())
  if (at % 2 === hand) writePackage(root, placement);
