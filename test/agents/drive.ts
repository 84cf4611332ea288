/** Drives an agent program over real pipes, with the client side of the ACP library. */
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type ClientContext,
  type InitializeResponse,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk/unstable";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { programOfProduct } from "../../src/kit/fixtures/product.ts";

export const DEMO = programOfProduct(
  "demo-agent",
  new URL("../../src/programs/demo/main.ts", import.meta.url).pathname,
);

const TEE = new URL("./tee-stdin.ts", import.meta.url).pathname;

/** Answers a permission request; it may take its time. */
type Permit = (
  request: RequestPermissionRequest,
) => RequestPermissionOutcome | Promise<RequestPermissionOutcome>;

export interface Driven {
  child: ChildProcessWithoutNullStreams;
  agent: ClientContext;
  /** Everything shown so far, in order. */
  updates: SessionUpdate[];
  /** All text of agent messages so far. */
  said(): string;
  /** Resolves as soon as the condition holds; it is asked again whenever the agent has shown something. */
  until(condition: () => boolean): Promise<void>;
  initialize(): Promise<InitializeResponse>;
  /** Initializes and opens a session in `cwd`. */
  open(cwd: string): Promise<string>;
  prompt(sessionId: string, text: string): Promise<StopReason>;
  /** Ends stdin and resolves with the exit code. */
  end(): Promise<number | null>;
}

export const drive = (
  t: TestContext,
  argv: readonly string[],
  env: Record<string, string> = {},
  permit: Permit = () => ({ outcome: "cancelled" }),
): Driven => {
  const [program = process.execPath, ...args] = argv;
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  const exited = once(child, "exit");
  child.stdin.on("error", () => {});
  t.after(() => child.kill("SIGKILL"));

  const updates: SessionUpdate[] = [];
  const waiting = new Set<() => void>();
  const connection = client({ name: "drive" })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
      for (const check of waiting) check();
    })
    .onRequest(
      methods.client.session.requestPermission,
      async ({ params }) => ({ outcome: await permit(params) }),
    )
    .connect(ndJsonStream(writableOf(child), readableOf(child)));
  const { agent } = connection;

  const initialize = () =>
    agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
    });
  return {
    child,
    agent,
    updates,
    said: () => updates.map(textOf).join(""),
    until: (condition) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    initialize,
    open: async (cwd) => {
      await initialize();
      const { sessionId } = await agent.request(methods.agent.session.new, {
        cwd,
        mcpServers: [],
      });
      return sessionId;
    },
    prompt: async (sessionId, text) => {
      const { stopReason } = await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text }],
      });
      return stopReason;
    },
    end: async () => {
      child.stdin.end();
      await exited;
      return child.exitCode;
    },
  };
};

/** The demo agent, from its source. */
export const driveDemo = (
  t: TestContext,
  home: string,
  options: {
    flags?: string[];
    env?: Record<string, string>;
    permit?: Permit;
    /** The file that gets everything that arrives on its stdin. */
    tee?: string;
  } = {},
): Driven =>
  drive(
    t,
    [
      ...(options.tee ? [process.execPath, TEE, options.tee, "--"] : []),
      process.execPath,
      DEMO,
      ...(options.flags ?? []),
    ],
    { DEMO_HOME: home, ...options.env },
    options.permit,
  );

/** A directory that is gone after the test. */
export const scratch = (t: TestContext): string => {
  const directory = mkdtempSync(join(tmpdir(), "agents-"));
  t.after(() =>
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 }),
  );
  return directory;
};

const textOf = (update: SessionUpdate): string =>
  update.sessionUpdate === "agent_message_chunk" &&
  update.content.type === "text"
    ? update.content.text
    : "";

const writableOf = (
  child: ChildProcessWithoutNullStreams,
): WritableStream<Uint8Array> =>
  new WritableStream({
    write: (bytes) =>
      new Promise((resolve, reject) => {
        child.stdin.write(bytes, (error) =>
          error ? reject(error) : resolve(),
        );
      }),
  });

const readableOf = (
  child: ChildProcessWithoutNullStreams,
): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      child.stdout
        .on("data", (bytes: Buffer) => controller.enqueue(bytes))
        .on("end", () => controller.close())
        .on("error", (error) => controller.error(error));
    },
  });
