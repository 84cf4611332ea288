/** Builds that break a promise on purpose. Each must be found out, or the run of chaos proves nothing. */
import type { Patch } from "./copy-tree.ts";

const noLock: Patch = {
  file: "src/serve.ts",
  find: "const lock = await holdHome(home, options.takeOver ?? false);",
  replace: "const lock = { release: () => undefined };",
};

const tellAllAgain: Patch = {
  file: "src/runtime/recovery/settle-execution.ts",
  find: "from: offset }",
  replace: "from: 0 }",
};

export const sabotages = {
  /** A server that was superseded writes on, and agentctl obeys it. */
  "no-term-check": [
    noLock,
    {
      file: "src/store/refusal.ts",
      find: "mine === current\n    ? null",
      replace: "mine <= current\n    ? null",
    },
    {
      file: "src/agentctl/base/term.ts",
      find: "if (term < this.#highest) return false;",
      replace: "if (term < this.#highest) return true;",
    },
    {
      file: "src/agentctl/link/connection.ts",
      find: "if (term < terms.highest)",
      replace: "if (term < 0)",
    },
  ],

  /** What is acknowledged and published becomes durable a moment later. */
  "early-acknowledgement": [
    {
      file: "src/journal/engine.ts",
      find: "await write(term);",
      replace: `setTimeout(() => void write(term).catch(() => undefined), 300);`,
    },
  ],

  /** A prompt that an agent had taken when it died is given to the next one. */
  "resend-committed": [
    {
      file: "src/session/evolve/queue.ts",
      find: 'delivery: { kind: "delivered" } }',
      replace: 'delivery: { ...turn.delivery, kind: "delivered" } }',
    },
    {
      file: "src/session/decide/close.ts",
      find: 'if (delivery.kind === "delivered")\n',
      replace:
        'if (delivery.kind === "delivered" && !("content" in delivery))\n',
    },
  ],

  /** The same key again is another prompt. */
  "no-receipts": [
    {
      file: "src/journal/receipts.ts",
      find: "const known = await receipts.find(scope, key);",
      replace: "const known = (await receipts.find(scope, key)) && null;",
    },
    {
      file: "src/store/sqlite/writing/writes.ts",
      find: "receipt === null ? null : refuseReceipt(receipt, receipts.isUsed(receipt))",
      replace: "null",
    },
    {
      file: "src/store/sqlite/tables/receipts.ts",
      find: `"INSERT INTO receipts`,
      replace: `"INSERT OR REPLACE INTO receipts`,
    },
  ],

  /** Bytes that are told again are taken in again. */
  "no-range-check": [
    tellAllAgain,
    {
      file: "src/session/decide/report.ts",
      find: `if (item.range.to <= offset) return "known";
  return item.range.from === offset ? "next" : "gap";`,
      replace: `return "next";`,
    },
  ],

  /** Whatever left the agent's process group is left alone. */
  "group-kill-only": [
    {
      file: "src/kit/processes/marked-processes.ts",
      find: "const until = performance.now() + ms;",
      replace:
        "const until = performance.now() + ms;\n  if (until > 0) return true;",
    },
  ],

  /** What is saved while garbage is collected is garbage too, and there is time for it. */
  "prune-without-mark": [
    {
      file: "src/checkpoint/vault.ts",
      find: "return { saved: this.#generation.watch() };",
      replace: "return { saved: new Set() };",
    },
    {
      file: "src/runtime/operations/upkeep/prune.ts",
      find: "  const { unreadable = [], ...pruned } =",
      replace: `  await new Promise((resolve) => setTimeout(resolve, 500));
  const { unreadable = [], ...pruned } =`,
    },
  ],
} as const satisfies Record<string, readonly Patch[]>;

/** What breaks nothing by itself, because another check stands behind it. */
export const harmless = {
  /** Two servers on one home: the term still tells them apart. */
  "no-lock": [noLock],
  /** Everything is told again: what is known is skipped. */
  "tell-all-again": [tellAllAgain],
} as const satisfies Record<string, readonly Patch[]>;
