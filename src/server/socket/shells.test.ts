import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { WebSocket } from "ws";
import {
  decodeShellFrame,
  type ShellFrame,
} from "../../contract/api/shell/shell-frame.ts";
import { address } from "../fixtures/fake-client.ts";
import { aShellId } from "../fixtures/fake-shells.ts";
import {
  listenFakeSite,
  type ListeningSite,
  TOKEN,
} from "../fixtures/fake-site.ts";
import type { AttachedShell } from "../ask/operations.ts";

interface Answer {
  id: number;
  result?: Record<string, unknown>;
  error?: { code: string };
}

/** Keeps answers and frames apart, as clients have to. */
const connect = async (site: ListeningSite) => {
  const ws = new WebSocket(address(site), {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const frames: ShellFrame[] = [];
  const answers = new Map<number, Answer>();
  ws.on("message", (data: Buffer, isBinary) => {
    if (isBinary) {
      const frame = decodeShellFrame(data);
      assert.ok(frame);
      frames.push(frame);
    } else {
      const answer: Answer = JSON.parse(data.toString());
      answers.set(answer.id, answer);
    }
    ws.emit("received");
  });
  await once(ws, "open");
  let calls = 0;
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await once(ws, "received");
  };
  const session_id = site.house.addSession().id;
  const ask = (method: string, params: object): number => {
    const id = (calls += 1);
    const named = { session_id, shell_id: aShellId, ...params };
    ws.send(
      JSON.stringify({ id, method: `session.shell.${method}`, params: named }),
    );
    return id;
  };
  const call = async (method: string, params: object): Promise<Answer> => {
    const id = ask(method, params);
    await until(() => answers.has(id));
    return answers.get(id) ?? { id };
  };
  return { ws, frames, ask, call, until };
};

const textOf = (frame: ShellFrame | undefined): string =>
  frame !== undefined && "bytes" in frame
    ? Buffer.from(frame.bytes).toString()
    : "";

test("[SHL-21] attaching is answered with the shell; a snapshot follows, and then what it shows", async () => {
  await using site = await listenFakeSite();
  const client = await connect(site);
  const { result } = await client.call("attach", {});
  assert.equal(result?.["id"], aShellId);
  await client.until(() => client.frames.length === 1);
  assert.equal(client.frames[0]?.kind, "snapshot");
  await client.call("input", { data: "hello" });
  await client.call("input", { data: "AAE=", encoding: "base64" });
  await client.until(() => client.frames.length === 3);
  assert.deepEqual(client.frames.slice(1).map(textOf), ["hello", "\0\u0001"]);
  assert.deepEqual(
    client.frames.map(({ offset }) => offset),
    [0, 0, 5],
  );
  client.ws.terminate();
});

test("[SHL-21] with an offset it goes on from there, and attaching again begins anew", async () => {
  await using site = await listenFakeSite();
  const client = await connect(site);
  await client.call("attach", { after: 100 });
  await client.call("input", { data: "one" });
  await client.until(() => client.frames.length === 1);
  assert.equal(client.frames[0]?.offset, 100);
  await client.call("attach", { after: 200 });
  await client.call("input", { data: "two" });
  await client.until(() => client.frames.length === 2);
  assert.equal(client.frames[1]?.offset, 200);
  client.ws.terminate();
});

test("[SHL-22] an end and a break are told, and nothing can be typed after them", async () => {
  await using site = await listenFakeSite();
  for (const [typed, kind] of [
    ["exit", "ended"],
    ["break", "detached"],
  ] as const) {
    const client = await connect(site);
    await client.call("attach", { after: 7 });
    await client.call("input", { data: typed });
    await client.until(() => client.frames.length === 1);
    const [frame] = client.frames;
    assert.equal(frame?.kind, kind);
    assert.equal(frame.offset, 7);
    const { error } = await client.call("input", { data: "more" });
    assert.equal(error?.code, "shell_not_attached");
    client.ws.terminate();
  }
});

test("[SHL-22] a shell that is not there is refused, and detaching is always possible", async () => {
  await using site = await listenFakeSite();
  const client = await connect(site);
  const shell_id = "shl_01h00000000000000000000001";
  const { error } = await client.call("attach", { shell_id });
  assert.equal(error?.code, "shell_not_found");
  assert.ok((await client.call("detach", {})).result);
  await client.call("attach", {});
  assert.ok((await client.call("detach", {})).result);
  const typed = await client.call("input", { data: "x" });
  assert.equal(typed.error?.code, "shell_not_attached");
  const resized = await client.call("resize", { cols: 9000, rows: 40 });
  assert.equal(resized.result?.["cols"], 500);
  client.ws.terminate();
});

test("[SHL-23] what a shell does not read is refused when too much of it waits, and holds up nothing else", async () => {
  await using site = await listenFakeSite();
  const client = await connect(site);
  await client.call("attach", {});
  const data = `hang${"x".repeat(60_000)}`;
  const codes: (string | undefined)[] = [];
  for (let count = 0; count < 6; count++)
    codes.push((await client.call("input", { data })).error?.code);
  assert.deepEqual(codes.slice(0, 4), Array.from({ length: 4 }));
  assert.equal(codes.at(-1), "shell_not_reading");
  assert.ok((await client.call("resize", { cols: 10, rows: 10 })).result);
  client.ws.terminate();
});

test("[SHL-23] of a shell that shows much, no more is fetched than a slow client takes, and it gets all of it in order", async () => {
  const PIECE = Buffer.alloc(64 * 1024, "x");
  const PIECES = 2000;
  const fetched = { count: 0 };
  const flood: AttachedShell = {
    async *[Symbol.asyncIterator]() {
      for (; fetched.count < PIECES; fetched.count += 1)
        yield {
          kind: "output",
          offset: fetched.count * PIECE.length,
          bytes: PIECE,
        };
      await new Promise(() => undefined);
    },
    type: async () => undefined,
    detach: () => undefined,
  };
  await using site = await listenFakeSite({ attachShell: async () => flood });
  const client = await connect(site);
  const quick = await connect(site);
  client.ws.pause();
  client.ask("attach", {});
  for (let calm = 0, last = -1; calm < 200;) {
    calm = fetched.count === last ? calm + 1 : 0;
    last = fetched.count;
    await quick.call("resize", { cols: 10, rows: 10 });
  }
  // What the kernel holds for both ends of a connection on this machine, and a mebibyte more.
  assert.ok(fetched.count > 0 && fetched.count < 640, `${fetched.count}`);
  client.ws.resume();
  await client.until(() => client.frames.length === PIECES);
  assert.deepEqual(
    client.frames.map(({ offset }) => offset),
    Array.from({ length: PIECES }, (_, at) => at * PIECE.length),
  );
  client.ws.terminate();
  quick.ws.terminate();
});
