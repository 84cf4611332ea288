import { RepriseError } from "../../../contract/problem/problem.ts";
import {
  Container,
  Created,
  EngineInfo,
  Image,
  ListedContainers,
  Refused,
  type ListedContainer,
} from "./answers.ts";
import { lastLines } from "./log-frames.ts";
import { askEngineAt, type AskEngine, type EngineAnswer } from "./request.ts";

/** What an engine refuses, in its own words. */
export interface EngineRefusal {
  kind: "image_missing" | "conflict" | "gone" | "refused";
  message: string;
}

/** The calls of Docker's API that we use. Each rejects with `docker_unavailable` where the engine gives no answer. */
export interface Engine {
  about(): Promise<EngineInfo>;
  image(name: string): Promise<Image | null>;
  create(name: string, spec: object): Promise<{ id: string } | EngineRefusal>;
  /** Null when there is no such container. */
  inspect(container: string): Promise<Container | null>;
  /** Running or not. */
  list(labels: readonly string[]): Promise<ListedContainer[]>;
  start(container: string): Promise<EngineRefusal | null>;
  unpause(container: string): Promise<EngineRefusal | null>;
  /** Answers when it has stopped; after the grace it is killed. */
  stop(container: string, graceSeconds: number): Promise<EngineRefusal | null>;
  kill(container: string, signal: string): Promise<EngineRefusal | null>;
  remove(container: string): Promise<EngineRefusal | null>;
  /** Resolves when it does not run any more. */
  untilStopped(container: string, signal: AbortSignal): Promise<void>;
  /** The end of what its first process printed. */
  lastWords(container: string): Promise<string>;
}

const at = (container: string, what: string): string =>
  `/containers/${encodeURIComponent(container)}/${what}`;

export const engineAt = (address: string): Engine => {
  const ask = askEngineAt(address);
  const told = <T>(answer: EngineAnswer, schema: Schema<T>): T =>
    parsed(address, answer, schema);
  const done = (call: ReturnType<AskEngine>): Promise<EngineRefusal | null> =>
    call.then((answer) => refusalOf(answer));
  return {
    about: async () =>
      told(await ask({ method: "GET", path: "/info" }), EngineInfo),
    image: async (name) => {
      // A name may hold slashes, which the engine takes as they are.
      const path = `/images/${encodeURI(name)}/json`;
      const answer = await ask({ method: "GET", path });
      return answer.status === 404 ? null : told(answer, Image);
    },
    create: async (name, spec) => {
      const answer = await ask({
        method: "POST",
        path: "/containers/create",
        query: { name },
        body: spec,
      });
      const refusal = refusalOf(answer);
      if (refusal === null) return { id: told(answer, Created).Id };
      // Whatever else is missing is named in other words.
      const isImage = answer.status === 404;
      return isImage ? { ...refusal, kind: "image_missing" } : refusal;
    },
    inspect: async (container) => {
      const answer = await ask({ method: "GET", path: at(container, "json") });
      return answer.status === 404 ? null : told(answer, Container);
    },
    list: async (labels) => {
      const filters = JSON.stringify({ label: labels });
      const answer = await ask({
        method: "GET",
        path: "/containers/json",
        query: { all: "true", filters },
      });
      return told(answer, ListedContainers);
    },
    start: (container) =>
      done(ask({ method: "POST", path: at(container, "start") })),
    unpause: (container) =>
      done(ask({ method: "POST", path: at(container, "unpause") })),
    stop: (container, graceSeconds) =>
      done(
        ask({
          method: "POST",
          path: at(container, "stop"),
          query: { t: `${graceSeconds}` },
          deadlineMs: (graceSeconds + 30) * 1000,
        }),
      ),
    kill: (container, signal) =>
      done(
        ask({
          method: "POST",
          path: at(container, "kill"),
          query: { signal },
        }),
      ),
    remove: (container) =>
      done(
        ask({
          method: "DELETE",
          path: `/containers/${encodeURIComponent(container)}`,
          query: { force: "true", v: "true" },
        }),
      ),
    untilStopped: async (container, signal) => {
      await ask({
        method: "POST",
        path: at(container, "wait"),
        query: { condition: "not-running" },
        deadlineMs: null,
        signal,
      });
    },
    lastWords: async (container) => {
      const { status, body } = await ask({
        method: "GET",
        path: at(container, "logs"),
        query: { stdout: "true", stderr: "true", tail: "20" },
      });
      return status === 200 ? lastLines(body) : "";
    },
  };
};

/** Null for what was done, also when it was done before (304). */
const refusalOf = (answer: EngineAnswer): EngineRefusal | null => {
  const { status } = answer;
  if (status < 400) return null;
  const message = messageOf(answer);
  if (status === 404) return { kind: "gone", message };
  return { kind: status === 409 ? "conflict" : "refused", message };
};

const messageOf = ({ status, body }: EngineAnswer): string => {
  const text = body.toString("utf8");
  try {
    return Refused.parse(JSON.parse(text)).message;
  } catch {
    return `status ${status}: ${text.slice(0, 500)}`;
  }
};

interface Schema<T> {
  parse(raw: unknown): T;
}

const parsed = <T>(
  address: string,
  answer: EngineAnswer,
  schema: Schema<T>,
): T => {
  if (answer.status >= 400)
    throw new RepriseError(
      "docker_unavailable",
      `The engine at ${address} refused: ${messageOf(answer)}`,
    );
  try {
    return schema.parse(JSON.parse(answer.body.toString("utf8")));
  } catch (cause) {
    throw new RepriseError(
      "docker_unavailable",
      `What answers at ${address} is no engine that this release knows`,
      { cause },
    );
  }
};
