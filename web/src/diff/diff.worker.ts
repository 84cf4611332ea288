import { type Question, reply } from "../kit/worker-client.ts";
import { type DiffRequest, readDiff } from "./read.ts";

addEventListener("message", ({ data }: MessageEvent<Question<DiffRequest>>) =>
  reply(data.id, new Promise((done) => done(readDiff(data.request)))),
);
