import { serveWorker } from "../kit/worker-client.ts";
import type { DiffFile } from "./parse.ts";
import { type DiffRequest, readDiff } from "./read.ts";

serveWorker<DiffRequest, DiffFile[]>((request) =>
  Promise.resolve(readDiff(request)),
);
