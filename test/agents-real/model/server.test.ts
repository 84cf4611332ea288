import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { startModel, type Model } from "./server.ts";

const shell = { type: "object", properties: { command: { type: "string" } } };

/** The same conversation in the words of each API: what the user said, with an answer after each prompt but the last. */
const apis: Record<string, { path: string; body(said: string[]): object }> = {
  messages: {
    path: "/v1/messages?beta=true",
    body: (said) => ({
      stream: true,
      tools: [{ name: "Bash", input_schema: shell }],
      messages: turns(said).map(({ role, text }) => ({
        role,
        content: [
          {
            type: "text",
            text: "<system-reminder>say nothing</system-reminder>",
          },
          { type: "text", text },
        ],
      })),
    }),
  },
  responses: {
    path: "/v1/responses",
    body: (said) => ({
      stream: true,
      tools: [{ type: "function", name: "shell", parameters: shell }],
      input: turns(said).map(({ role, text }) => ({
        type: "message",
        role,
        content: [{ type: "input_text", text }],
      })),
    }),
  },
  completions: {
    path: "/v1/chat/completions",
    body: (said) => ({
      stream: true,
      tools: [
        { type: "function", function: { name: "bash", parameters: shell } },
      ],
      messages: turns(said).map(({ role, text }) => ({ role, content: text })),
    }),
  },
  gemini: {
    path: "/v1beta/models/any:streamGenerateContent?alt=sse",
    body: (said) => ({
      tools: [
        {
          functionDeclarations: [
            { name: "run_shell_command", parametersJsonSchema: shell },
          ],
        },
      ],
      contents: turns(said).map(({ role, text }) => ({
        role: role === "user" ? "user" : "model",
        parts: [{ text }],
      })),
    }),
  },
};

const turns = (said: string[]) =>
  said.flatMap((text, n) => [
    { role: "user", text },
    ...(n < said.length - 1 ? [{ role: "assistant", text: "an answer" }] : []),
  ]);

const ask = async (model: Model, api: string, said: string[]) => {
  const { path, body } = apis[api] ?? assert.fail(api);
  const response = await fetch(model.url + path, {
    method: "POST",
    body: JSON.stringify(body(said)),
  });
  return { status: response.status, text: await response.text() };
};

for (const api of Object.keys(apis))
  test(`the scripted model knows what the request tells it, and nothing else: ${api}`, async () => {
    await using model = await startModel();
    const told = ["store passkey one", "store passkey two", "say the passkey"];
    assert.match((await ask(model, api, told)).text, /"two"/);
    assert.match((await ask(model, api, told.slice(2))).text, /"unknown"/);
    const call = await ask(model, api, ["shell echo hello"]);
    assert.match(call.text, /echo hello/);
    assert.match(call.text, /bash|shell/i);
    assert.equal((await ask(model, api, ["quota 60"])).status, 429);
    assert.deepEqual(
      model.asked.map(({ prompt }) => prompt),
      ["say the passkey", "say the passkey", "shell echo hello", "quota 60"],
    );
    assert.deepEqual(model.strange, []);
  });

test("a request that its sender breaks off is not strange", async () => {
  await using model = await startModel();
  const socket = connect(Number(new URL(model.url).port), "127.0.0.1");
  socket.write(
    "POST /v1/messages HTTP/1.1\r\nHost: model\r\nContent-Length: 100\r\n\r\n{",
  );
  await ask(model, "messages", ["hello"]);
  socket.destroy();
  await once(socket, "close");
  await ask(model, "messages", ["hello"]);
  assert.deepEqual(model.strange, []);
});
