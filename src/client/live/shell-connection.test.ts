import assert from "node:assert/strict";
import { test } from "node:test";
import {
  encodeShellFrame,
  type ShellFrame,
} from "../../contract/api/shell/shell-frame.ts";
import { ShellId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { ConnectionState } from "./connection.ts";
import { openShellConnection, type ShellLink } from "./shell-connection.ts";

const shell_id = ShellId.parse("shl_01h00000000000000000000000");
const other_id = ShellId.parse("shl_01h00000000000000000000001");
const name = { session_id: "ses_01h00000000000000000000000", shell_id };
const away = { kind: "away", since: 0, next_try_at: null } as const;

/** A link whose other end is the test's. */
const scene = (attach: () => Promise<unknown> = () => Promise.resolve({})) => {
  const told: string[] = [];
  const asked: { method: string; params: Record<string, unknown> }[] = [];
  const readers = new Set<() => void>();
  let receive: (bytes: Uint8Array<ArrayBuffer>) => void = () => undefined;
  let state: ConnectionState = { kind: "connected" };
  let failed: (error: unknown) => void = () => undefined;
  const failure = new Promise<unknown>((resolve) => {
    failed = resolve;
  });
  const link: ShellLink = {
    get state() {
      return state;
    },
    subscribe: (changed) => {
      readers.add(changed);
      return () => readers.delete(changed);
    },
    request: (method, params) => {
      asked.push({ method, params: { ...params } });
      return method.endsWith("attach") ? attach() : Promise.resolve({});
    },
    onBinary: (listen) => {
      receive = listen;
      return () => {
        receive = () => undefined;
      };
    },
  };
  const shell = openShellConnection(link, name, {
    snapshot: ({ bytes, cols, rows }) =>
      told.push(`snapshot ${cols}x${rows} ${Buffer.from(bytes).toString()}`),
    output: (bytes) => told.push(`output ${Buffer.from(bytes).toString()}`),
    resized: ({ cols, rows }) => told.push(`resized ${cols}x${rows}`),
    ended: ({ exit_code }) => told.push(`ended ${exit_code}`),
    failed: (error) => failed(error),
    attached: (isAttached) => told.push(isAttached ? "attached" : "away"),
  });
  return {
    shell,
    told,
    asked,
    failure,
    readers,
    become: (next: ConnectionState) => {
      state = next;
      for (const changed of readers) changed();
    },
    show: (frame: ShellFrame) => receive(encodeShellFrame(frame)),
    output: (offset: number, text: string, id = shell_id) =>
      receive(
        encodeShellFrame({
          kind: "output",
          shell_id: id,
          offset,
          bytes: Buffer.from(text),
        }),
      ),
  };
};

const afterOf = (
  asked: { method: string; params: Record<string, unknown> }[],
) =>
  asked
    .filter(({ method }) => method.endsWith("attach"))
    .map(({ params }) => params["after"]);

test("[SHL-26] what a shell shows comes in its order and once, over several connections", () => {
  const stage = scene();
  stage.show({
    kind: "snapshot",
    shell_id,
    offset: 10,
    cols: 80,
    rows: 24,
    bytes: Buffer.from("$ "),
  });
  stage.output(10, "ab");
  stage.output(0, "another shell", other_id);
  stage.show({ kind: "resized", shell_id, offset: 12, cols: 90, rows: 30 });
  stage.become(away);
  stage.become({ kind: "back", since: 0, caught_up: 0 });
  // The beginning of it is known already.
  stage.output(10, "abcd");
  stage.show({
    kind: "ended",
    shell_id,
    offset: 14,
    end: { reason: "exited", exit_code: 3 },
  });
  stage.output(14, "nothing more");
  assert.deepEqual(stage.told, [
    "attached",
    "snapshot 80x24 $ ",
    "output ab",
    "resized 90x30",
    "away",
    "attached",
    "output cd",
    "away",
    "ended 3",
  ]);
  assert.deepEqual(afterOf(stage.asked), [null, 12]);
  assert.equal(stage.readers.size, 0);
});

test("[SHL-26] where something is missing it is asked for again, from where it was", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stage = scene();
  stage.output(0, "ab");
  stage.output(5, "too far");
  assert.deepEqual(stage.told, ["attached", "output ab", "away"]);
  t.mock.timers.tick(10_000);
  stage.output(2, "cde");
  assert.deepEqual(stage.told.slice(3), ["attached", "output cde"]);
  assert.deepEqual(afterOf(stage.asked), [null, 2]);
});

test("[SHL-26] a shell that is gone is told once, and trouble that may pass is not", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const gone = scene();
  gone.show({
    kind: "detached",
    shell_id,
    offset: 0,
    why: { code: "shell_not_found", message: "It was closed." },
  });
  const failure = await gone.failure;
  assert.ok(failure instanceof RepriseError);
  assert.equal(failure.code, "shell_not_found");

  let attempts = 0;
  const passing = scene(() =>
    ++attempts === 1
      ? Promise.reject(new RepriseError("agentctl_unavailable", "It restarts."))
      : Promise.resolve({}),
  );
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(passing.shell.isAttached, false);
  t.mock.timers.tick(10_000);
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(passing.shell.isAttached, true);
});

test("[SHL-26] text is typed as text, NUL and bytes as base 64, long texts in pieces; detaching says so", async () => {
  const stage = scene();
  stage.output(0, "$");
  await stage.shell.type("ls\r");
  await stage.shell.type("\0");
  await stage.shell.type("x".repeat(40_000));
  const inputs = stage.asked
    .filter(({ method }) => method.endsWith("input"))
    .map(({ params }) => params);
  assert.deepEqual(
    inputs.slice(0, 2).map(({ data, encoding }) => [data, encoding]),
    [
      ["ls\r", undefined],
      ["AA==", "base64"],
    ],
  );
  const pieces = inputs.slice(2).map(({ data }) => atob(String(data)));
  assert.equal(pieces.join(""), "x".repeat(40_000));
  assert.equal(pieces.length, 2);
  stage.shell.detach();
  assert.equal(stage.asked.at(-1)?.method, "session.shell.detach");
  assert.equal(stage.readers.size, 0);
});
