/** An editor for tests: the client side of ACP over the stdin and stdout of a real `reprise acp`. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  methods,
  ndJsonStream,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import * as z from "zod";
import { type Client, connect } from "../../src/client/client.ts";
import { endProcess } from "../../src/executors/fixtures/end-daemon.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { within } from "../../src/kit/time/deadline.ts";
import { findServer } from "../../src/local/find-server.ts";
import { root, type TestHouse } from "../e2e/house.ts";

const bin = join(process.env["TEST_PRODUCT"] ?? root, "bin/reprise");

export interface Question {
  params: RequestPermissionRequest;
  choose(optionId: string): void;
  cancel(): void;
  /** Aborts when the agent does not want to know any more. */
  withdrawn: AbortSignal;
}

interface EditorOptions {
  agent?: string;
  name?: string;
  capabilities?: ClientCapabilities;
  env?: Record<string, string>;
  flags?: string[];
}

export class Editor implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly updates: SessionNotification[] = [];
  readonly questions: Question[] = [];
  /** Whatever else was asked of the client. */
  readonly others: string[] = [];
  readonly #connection: ClientConnection;
  readonly #watchers = new Set<() => void>();
  #stderr = "";

  private constructor(house: TestHouse, options: EditorOptions) {
    const { agent = "demo", env = {}, flags = [] } = options;
    const child = spawn(bin, ["acp", "--agent", agent, ...flags], {
      env: house.env({ REPRISE_PORT: "0", ...env }),
      cwd: house.workspace,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.process = child;
    child.stderr.on("data", (bytes: Buffer) => {
      this.#stderr += bytes.toString();
    });
    // What is written to one that was killed is lost.
    child.stdin.on("error", () => undefined);
    this.#connection = client({ name: "editor" })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params);
        this.#happened();
      })
      .onRequest(
        methods.client.session.requestPermission,
        ({ params, signal }) =>
          new Promise<RequestPermissionResponse>((answer) => {
            this.questions.push({
              params,
              withdrawn: signal,
              choose: (optionId) =>
                answer({ outcome: { outcome: "selected", optionId } }),
              cancel: () => answer({ outcome: { outcome: "cancelled" } }),
            });
            this.#happened();
          }),
      )
      .onRequest("*", ({ method }) => {
        this.others.push(method);
        throw RequestError.methodNotFound(method);
      })
      .connect(
        ndJsonStream(
          Writable.toWeb(child.stdin),
          new ReadableStream({
            start: (to) => {
              Readable.from(child.stdout)
                .on("data", (bytes: Buffer) => to.enqueue(bytes))
                .on("end", () => to.close())
                .on("error", () => to.close());
            },
          }),
        ),
      );
  }

  /** It has shaken hands when this resolves. */
  static async open(
    house: TestHouse,
    options: EditorOptions = {},
  ): Promise<Editor> {
    const editor = new Editor(house, options);
    await editor.agent.request("initialize", {
      protocolVersion: 1,
      clientInfo: { name: options.name ?? "editor", version: "1" },
      clientCapabilities: options.capabilities ?? {},
    });
    return editor;
  }

  get agent(): ClientConnection["agent"] {
    return this.#connection.agent;
  }

  get stderr(): string {
    return this.#stderr;
  }

  async start(cwd: string): Promise<string> {
    const { sessionId } = await this.agent.request("session/new", {
      cwd,
      mcpServers: [],
    });
    return sessionId;
  }

  prompt(sessionId: string, text: string) {
    return this.agent.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text }],
    });
  }

  load(sessionId: string, cwd: string) {
    return this.agent.request("session/load", {
      sessionId,
      cwd,
      mcpServers: [],
    });
  }

  /** All that the agent said here, of one session or all. */
  said(): string {
    return textIn(this.updates, "agent_message_chunk");
  }

  /** The words of the newest update that has some. */
  lastSaid(): string {
    return (
      this.updates
        .map((update) => textIn([update], "agent_message_chunk"))
        .findLast((text) => text !== "") ?? ""
    );
  }

  heard(): string {
    return textIn(this.updates, "user_message_chunk");
  }

  /** Resolves when it is so; looked at whenever something came in. */
  async until(fits: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watch = (): void => {
      if (fits()) resolve();
    };
    this.#watchers.add(watch);
    watch();
    try {
      await within(
        `what was waited for (said so far: ${JSON.stringify(this.said().slice(-200))})`,
        patience(60_000),
        promise,
      );
    } finally {
      this.#watchers.delete(watch);
    }
  }

  async question(n = 1): Promise<Question> {
    await this.until(() => this.questions.length >= n);
    const question = this.questions[n - 1];
    assert.ok(question);
    return question;
  }

  /** As a person closes the window. */
  async leave(): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null)
      return this.process.exitCode;
    const gone = once(this.process, "close");
    this.process.stdin?.end();
    await gone;
    return this.process.exitCode;
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null)
      return;
    const gone = once(this.process, "close");
    this.process.kill("SIGKILL");
    await gone;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  #happened(): void {
    for (const watch of this.#watchers) watch();
  }
}

const textIn = (
  updates: readonly SessionNotification[],
  kind: SessionUpdate["sessionUpdate"],
): string =>
  updates
    .map(({ update }) =>
      update.sessionUpdate === kind &&
      "content" in update &&
      !Array.isArray(update.content) &&
      update.content?.type === "text"
        ? update.content.text
        : "",
    )
    .join("");

const ServerFile = z.object({ pid: z.number() });

/** Ends the server of a home, whoever started it, as a machine that loses power does. */
export const endServer = async (home: string): Promise<void> => {
  const text = await readFile(join(home, "server.json"), "utf8").catch(
    () => null,
  );
  if (text === null) return;
  await endProcess(ServerFile.parse(JSON.parse(text)).pid);
};

/** A client of the server that runs for a home, whoever started it; it is waited for. */
export const serverOf = async (home: string): Promise<Client> => {
  const address = await eventually(
    () =>
      findServer({ env: { REPRISE_HOME: home }, cwd: home }).catch(() => null),
    (found) => found !== null,
  );
  assert.ok(address);
  return connect(address);
};
