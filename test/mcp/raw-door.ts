/** Both doors without a client library in between: what is sent is exactly the text that a test wrote. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as z from "zod";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { within } from "../../src/kit/time/deadline.ts";
import type { Scene } from "../e2e/shared-house.ts";
import { bin, type DoorName, type Era } from "./mcp-client.ts";

export const Reply = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});
export type Reply = z.infer<typeof Reply>;

const MODERN = "2026-07-28";
const ABOUT = { name: "a-test", version: "1" };

/** What every request of an era says of its client, as a member of its params. */
const envelope: Record<Era, string> = {
  legacy: "{}",
  modern: JSON.stringify({
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": ABOUT,
    "io.modelcontextprotocol/clientCapabilities": {},
  }),
};

export interface RawDoor extends AsyncDisposable {
  /** The members of the params are JSON texts. */
  ask(method: string, params?: Record<string, string>): Promise<Reply>;
}

export const callTool = (
  door: RawDoor,
  name: string,
  args: string,
): Promise<Reply> =>
  door.ask("tools/call", { name: JSON.stringify(name), arguments: args });

const paramsOf = (members: Record<string, string>, era: Era): string =>
  `{${Object.entries({ ...members, _meta: envelope[era] })
    .map(([key, json]) => `${JSON.stringify(key)}:${json}`)
    .join(",")}}`;

const frameOf = (id: number, method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;

export const openRaw = async (
  scene: Scene,
  { door, era }: { door: DoorName; era: Era },
): Promise<RawDoor> => {
  if (door === "http") return overHttp(scene, era);
  const lines = RawLines.start(scene);
  if (era === "legacy") await lines.initialize();
  let last = 0;
  return {
    ask: (method, members = {}) =>
      lines.answerTo((last += 1), (id) =>
        frameOf(id, method, paramsOf(members, era)),
      ),
    [Symbol.asyncDispose]: () => lines[Symbol.asyncDispose](),
  };
};

const overHttp = ({ server }: Scene, era: Era): RawDoor => {
  let last = 0;
  return {
    async ask(method, members = {}) {
      last += 1;
      const name = members["name"] ?? members["uri"] ?? members["taskId"];
      const response = await postMcp(
        server,
        frameOf(last, method, paramsOf(members, era)),
        era === "legacy"
          ? {}
          : {
              "mcp-protocol-version": MODERN,
              "mcp-method": method,
              ...(name !== undefined && { "mcp-name": headerOf(name) }),
            },
      );
      const replies = await repliesIn(response);
      const own = replies.find(({ id }) => id === last) ?? replies.at(-1);
      if (own === undefined) throw new Error(`HTTP ${response.status}, empty`);
      return own;
    },
    async [Symbol.asyncDispose]() {},
  };
};

/** As the protocol has it for names that are no header. */
const headerOf = (json: string): string => {
  const name = z.string().safeParse(JSON.parse(json)).data ?? "";
  return /^[\x21-\x7e]+$/.test(name)
    ? name
    : `=?base64?${Buffer.from(name).toString("base64")}?=`;
};

export const postMcp = (
  { url, token }: Scene["server"],
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(new URL("/mcp", url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      ...headers,
    },
    body,
  });

export const repliesIn = async (response: Response): Promise<Reply[]> => {
  const text = await response.text();
  if (text === "") return [];
  const isStream =
    response.headers.get("content-type")?.includes("event-stream") === true;
  return (isStream ? [...text.matchAll(/^data: (.+)$/gm)] : [[text, text]])
    .map(([, json]) => json ?? "")
    .flatMap((json) =>
      z.union([Reply, z.array(Reply)]).parse(JSON.parse(json)),
    );
};

/** `reprise mcp` as a process that reads and writes lines. */
export class RawLines implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly #awaited = new Map<unknown, (reply: Reply) => void>();
  /** What came without being asked for by id. */
  readonly #others: Reply[] = [];
  #happened: () => void = () => undefined;

  private constructor(child: ChildProcess) {
    this.process = child;
    child.stdin?.on("error", () => undefined);
    if (child.stdout !== null)
      createInterface(child.stdout).on("line", (line) => this.#take(line));
  }

  static start({ house, workspace }: Scene, args: string[] = []): RawLines {
    const child = spawn(bin, ["mcp", ...args], {
      cwd: workspace,
      env: house.env({ REPRISE_PORT: "0" }),
      stdio: ["pipe", "pipe", "ignore"],
    });
    return new RawLines(child);
  }

  async initialize(): Promise<Reply> {
    const params = JSON.stringify({
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: ABOUT,
    });
    const reply = await this.answerTo(0, (id) =>
      frameOf(id, "initialize", params),
    );
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return reply;
  }

  write(text: string): void {
    this.process.stdin?.write(text);
  }

  answerTo(id: number, frame: (id: number) => string): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#awaited.set(id, resolve);
    const line = frame(id);
    this.write(`${line}\n`);
    return within(
      `an answer to ${line.slice(0, 200)}`,
      patience(30_000),
      promise,
    );
  }

  /** The next reply that answers no id that was asked for. */
  async other(): Promise<Reply> {
    for (;;) {
      const reply = this.#others.shift();
      if (reply !== undefined) return reply;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#happened = resolve;
      await within("another reply", patience(30_000), promise);
    }
  }

  async ended(): Promise<number | NodeJS.Signals | null> {
    const { exitCode, signalCode } = this.process;
    if (exitCode === null && signalCode === null)
      await within("its end", patience(30_000), once(this.process, "close"));
    return this.process.exitCode ?? this.process.signalCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended();
  }

  #take(line: string): void {
    const reply = Reply.parse(JSON.parse(line));
    const resolve = this.#awaited.get(reply.id);
    if (resolve === undefined) {
      this.#others.push(reply);
      this.#happened();
      return;
    }
    this.#awaited.delete(reply.id);
    resolve(reply);
  }
}
