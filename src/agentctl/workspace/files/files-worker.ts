/** A thread that looks at workspaces and waits for their disks, so that agentctl need not. */
import { parentPort } from "node:worker_threads";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { Answer, Request } from "../../../kit/worker-rpc/messages.ts";
import { serveRequests } from "../../../kit/worker-rpc/serve-requests.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import type { CallFailure, FileCalls } from "./file-calls.ts";
import { listDirectories } from "./list-directories.ts";
import { listDirectory } from "./list-directory.ts";
import {
  commitWrite,
  holdDirectory,
  openFile,
  prepareWrite,
} from "./read-write.ts";

const port = parentPort;
if (port === null) throw new Error("this file is a thread of agentctl");

const valueOf = async (request: Request<FileCalls>): Promise<unknown> => {
  switch (request.kind) {
    case "list":
      return listDirectory(request.query);
    case "directories":
      return listDirectories(request.query);
    case "open":
      return openFile(request.query);
    case "hold":
      return holdDirectory(request.query);
    case "prepare":
      return prepareWrite(request.query);
    case "commit":
      return commitWrite(request.query);
    default:
      return unreachable(request);
  }
};

const answerTo = async (
  request: Request<FileCalls>,
): Promise<Answer<CallFailure>> => {
  const { id } = request;
  try {
    return { id, value: await valueOf(request) };
  } catch (error) {
    const code = error instanceof LinkError ? error.code : null;
    const message = error instanceof Error ? error.message : String(error);
    return { id, failure: { code, message } };
  }
};

serveRequests<FileCalls, CallFailure>(port, {
  most: 1,
  answer: (requests, reply) => {
    for (const request of requests)
      void answerTo(request).then((answer) => reply([answer]));
  },
  close: () => {},
});
