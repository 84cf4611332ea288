/** An agent's side of the conversation, played to the fold. For tests. */
import type { ReportItem } from "../../../contract/report.ts";
import type { Effect, Open, Setup, Telling, Want } from "../driver.ts";
import { acp } from "./driver.ts";

export const setupOf = (open: Open, mode?: string): Setup => ({
  incarnation: "i1",
  epoch: 3,
  cwd: "/w",
  definition: {
    agent: "a",
    home: "user",
    env_names: [],
    ...(mode === undefined ? {} : { mode }),
  },
  briefing: null,
  open,
  agent: {
    native: true,
    injection: true,
    isUnknownSession: ({ code }) => code === -32002,
  },
});

/** Plays an agent's lines to the fold; `say` takes what follows `jsonrpc` in a message. */
export const play = (setup: Setup, telling: Pick<Telling, "login"> = {}) => {
  let { state, effects } = acp.begin(setup);
  let offset = 0;
  const told: ReportItem[] = [];
  const all: Effect[] = [...effects];
  let ready: Extract<Effect, { kind: "opened" }>["ready"] | null = null;
  const take = (step: { state: typeof state; effects: Effect[] }): Effect[] => {
    ({ state, effects } = step);
    all.push(...effects);
    for (const effect of effects)
      if (effect.kind === "opened") ready = effect.ready;
    return effects;
  };
  const sayRaw = (text: string): Effect[] => {
    const bytes = Buffer.from(text);
    const range = { from: offset, to: offset + bytes.length + 1 };
    offset = range.to;
    const said = acp.read({ bytes, ...range, cut: false });
    const done = take(acp.interpret(setup, state, said, range));
    const item = acp.tell(said, range, {
      ...telling,
      epoch: setup.epoch,
      ready,
    });
    if (item !== null) told.push(item);
    return done;
  };
  return {
    told,
    all,
    sayRaw,
    say: (message: object) =>
      sayRaw(JSON.stringify({ jsonrpc: "2.0", ...message })),
    want: (want: Want) => take(acp.want(setup, state, want)),
  };
};

export const HELLO = {
  id: "i1.initialize",
  result: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { resume: {}, close: {} },
      promptCapabilities: { image: true },
    },
    agentInfo: { name: "a", version: "1.2" },
  },
};
export const LOADS = {
  id: "i1.initialize",
  result: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
};

export const methods = (effects: readonly Effect[]): unknown[] =>
  effects.flatMap((it) =>
    it.kind === "send" ? [it.message.body["method"] ?? it.message.body] : [],
  );

export const opened = (effects: readonly Effect[]) =>
  effects.find((it) => it.kind === "opened")?.ready;

export const update = (update: object) => ({
  method: "session/update",
  params: { sessionId: "s", update },
});
