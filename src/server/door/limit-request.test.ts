import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { limitRequest } from "./limit-request.ts";

const PATIENCE_MS = 1000;

beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
afterEach(() => mock.timers.reset());

/** A request of which bytes come as the test says. */
const sent = (
  given: { url?: string; headers?: Record<string, string> } = {},
) => {
  const socket = {
    bytesRead: 0,
    isCut: false,
    destroy: () => void (socket.isCut = true),
  };
  const request = Object.assign(new EventEmitter(), {
    method: "POST",
    url: "/api/sessions/import?cwd=/new",
    headers: { "content-length": "100" },
    complete: false,
    socket,
    ...given,
  });
  const response = { writableEnded: false };
  limitRequest(request, response, PATIENCE_MS);
  return {
    request,
    response,
    /** The time passes, and some bytes come meanwhile. */
    async pass(bytes: number): Promise<boolean> {
      socket.bytesRead += bytes;
      mock.timers.tick(PATIENCE_MS);
      await turnOfTheLoop();
      return socket.isCut;
    },
  };
};

test("[API-70] a file may take as long as its bytes keep coming", async () => {
  const file = sent();
  for (let time = 0; time < 100; time++)
    assert.equal(await file.pass(1), false);
  assert.equal(await file.pass(0), true);
});

test("[API-70] a file that was answered has no more time than others", async () => {
  const file = sent();
  assert.equal(await file.pass(1), false);
  file.response.writableEnded = true;
  assert.equal(await file.pass(1), true);
});

test("[API-70] any other body has one patience for all of it", async () => {
  assert.equal(await sent({ url: "/api/sessions" }).pass(1), true);
});

test("[API-70] a body without a length is a body", async () => {
  const headers = { "transfer-encoding": "chunked" };
  assert.equal(await sent({ url: "/api/gc", headers }).pass(1), true);
});

test("[API-70] what has come whole, or has no body, is answered however long that takes", async () => {
  const whole = sent({ url: "/api/sessions" });
  whole.request.complete = true;
  assert.equal(await whole.pass(0), false);
  const ended = sent({ url: "/api/sessions" });
  ended.request.emit("end");
  assert.equal(await ended.pass(0), false);
  assert.equal(await sent({ headers: {} }).pass(0), false);
});
