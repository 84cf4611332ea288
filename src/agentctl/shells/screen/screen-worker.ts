/** The program of the thread that has the screens: parsing output takes a processor for as long as a program floods it. */
import { parentPort } from "node:worker_threads";
import type { ShellId } from "../../../contract/base/id.ts";
import type { Answer, Request } from "../../../kit/worker-rpc/messages.ts";
import { serveRequests } from "../../../kit/worker-rpc/serve-requests.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { Screen } from "./screen.ts";
import type { ScreenCalls, ScreenNote } from "./screen-messages.ts";

const port = parentPort;
if (port === null) throw new Error("this is the program of a thread");

const screens = new Map<ShellId, Screen>();

const tell = (note: ScreenNote): void => port.postMessage({ note });

const find = (shell: ShellId): Screen => {
  const screen = screens.get(shell);
  if (screen === undefined) throw new Error(`${shell} has no screen`);
  return screen;
};

const open = async ({
  shell,
  snapshot,
  steps,
}: ScreenCalls["open"]["query"]): Promise<void> => {
  screens.get(shell)?.close();
  const screen = new Screen(snapshot, {
    answer: (text) => tell({ kind: "answer", shell, text }),
    title: (title) => tell({ kind: "title", shell, title }),
  });
  screens.set(shell, screen);
  await screen.draw(snapshot.bytes);
  for (const step of steps)
    if ("bytes" in step) await screen.write(step.bytes);
    else screen.resize(step.size);
  screen.goLive();
};

const carryOut = async (request: Request<ScreenCalls>): Promise<unknown> => {
  switch (request.kind) {
    case "open":
      await open(request.query);
      return null;
    case "write":
      await find(request.query.shell).write(request.query.bytes);
      return null;
    case "resize":
      find(request.query.shell).resize(request.query.size);
      return null;
    case "snapshot":
      return find(request.query.shell).snapshot(request.query.last);
    case "close":
      screens.get(request.query.shell)?.close();
      screens.delete(request.query.shell);
      return null;
    default:
      return unreachable(request);
  }
};

const answerTo = async (
  request: Request<ScreenCalls>,
): Promise<Answer<string>> => {
  const { id } = request;
  try {
    return { id, value: await carryOut(request) };
  } catch (error) {
    return { id, failure: String(error) };
  }
};

/** One after the other: what a shell shows has an order. */
let last: Promise<void> = Promise.resolve();

serveRequests<ScreenCalls, string>(port, {
  most: 1,
  answer: (requests, reply) => {
    for (const request of requests)
      last = last.then(async () => reply([await answerTo(request)]));
  },
  close: () => {
    for (const screen of screens.values()) screen.close();
  },
});
