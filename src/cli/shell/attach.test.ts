/** Looking at a shell with one's own terminal, over a connection that the test holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../client/live/connection.ts";
import {
  encodeShellFrame,
  type ShellFrame,
} from "../../contract/api/shell/shell-frame.ts";
import { SessionId, ShellId } from "../../contract/base/id.ts";
import type { RawTerminal } from "../terminal/raw-terminal.ts";
import { attach } from "./attach.ts";

const shell_id = ShellId.parse("shl_01h00000000000000000000000");
const session_id = SessionId.parse("ses_01h00000000000000000000000");
const bytesOf = (text: string): Uint8Array => Buffer.from(text);

type Framed = ShellFrame extends infer F
  ? F extends ShellFrame
    ? Omit<F, "shell_id">
    : never
  : never;

/** A terminal and a connection whose other ends are the test's. */
const scene = () => {
  let written = "";
  let press: (bytes: Uint8Array) => void = () => undefined;
  let state: Connection["state"] = { kind: "connected" };
  let changed = (): void => undefined;
  let receive: (bytes: Uint8Array<ArrayBuffer>) => void = () => undefined;
  const asked: { method: string; params: Record<string, unknown> }[] = [];
  const refused = new Set<string>();
  const terminal: RawTerminal = {
    size: () => ({ cols: 80, rows: 24 }),
    write: (bytes) => {
      written += typeof bytes === "string" ? bytes : Buffer.from(bytes);
    },
    onKeys: (listen) => {
      press = listen;
    },
    onResize: () => undefined,
    restore: () => undefined,
  };
  const live: Connection = {
    get state() {
      return state;
    },
    subscribe: (listen) => {
      changed = listen;
      return () => undefined;
    },
    request: (method, params) => {
      asked.push({ method, params: { ...params } });
      return refused.has(method)
        ? Promise.reject(new Error("there is no connection"))
        : Promise.resolve({});
    },
    onBinary: (listen) => {
      receive = listen;
      return () => undefined;
    },
    tryNow: () => undefined,
    follow: () => assert.fail("nothing is followed"),
    followHome: () => assert.fail("nothing is followed"),
    sendBinary: () => false,
    close: () => undefined,
  };
  const left = attach(
    { onSignal: () => () => undefined },
    { live: () => live },
    { id: shell_id, session_id },
    terminal,
  );
  return {
    left,
    asked,
    refused,
    /** What was written since somebody last asked. */
    seen: (): string => {
      const text = written;
      written = "";
      return text;
    },
    press: (text: string) => press(bytesOf(text)),
    become: (next: Connection["state"]) => {
      state = next;
      changed();
    },
    show: (frame: Framed) => receive(encodeShellFrame({ ...frame, shell_id })),
  };
};

const screenOf = (text: string, offset = 0): Framed => ({
  kind: "snapshot",
  offset,
  cols: 80,
  rows: 24,
  bytes: bytesOf(text),
});
const away = { kind: "away", since: 0, next_try_at: null } as const;
const back = { kind: "back", since: 0, caught_up: 0 } as const;

test("[SHL-25] after a break the screen is drawn anew, and takes the place of the notice", async () => {
  const stage = scene();
  stage.show(screenOf("$ "));
  stage.show({ kind: "output", offset: 0, bytes: bytesOf("ls") });
  assert.equal(stage.seen(), "\x1bc$ ls");
  stage.become(away);
  assert.match(stage.seen(), /the connection was lost/);
  stage.become(back);
  const attached = stage.asked.filter(({ method }) =>
    method.endsWith("attach"),
  );
  assert.deepEqual(
    attached.map(({ params }) => params["after"]),
    [null, null],
  );
  stage.show(screenOf("$ ls", 2));
  assert.equal(stage.seen(), "\x1bc$ ls");
  stage.press("\x1d");
  assert.deepEqual(await stage.left, { kind: "detached" });
});

test("[SHL-25] nothing is written into the screen of a full-screen program: it only rings", async () => {
  const stage = scene();
  stage.show(screenOf("\x1b[?1049hvi"));
  stage.seen();
  stage.become(away);
  assert.equal(stage.seen(), "\x07");
  stage.refused.add("session.shell.input");
  stage.press("x");
  await new Promise(setImmediate);
  assert.equal(stage.seen(), "\x07");
  stage.press("\x1d");
  await stage.left;
});

test("[SHL-24] the person's terminal is asked nothing, neither live nor by what is shown again", async () => {
  const stage = scene();
  stage.show(screenOf("$ \x1b[c"));
  stage.show({ kind: "output", offset: 0, bytes: bytesOf("a\x1b[6") });
  stage.show({ kind: "output", offset: 4, bytes: bytesOf("nb") });
  assert.equal(stage.seen(), "\x1bc$ ab");
  stage.show({
    kind: "ended",
    offset: 6,
    end: { reason: "exited", exit_code: 2 },
  });
  assert.deepEqual(await stage.left, {
    kind: "ended",
    end: { reason: "exited", exit_code: 2 },
  });
});
