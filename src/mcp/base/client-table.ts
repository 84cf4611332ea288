/**
 * What MCP clients do with a call that takes long, as it was measured. A new client, or a new release of one, changes this
 * table and nothing else.
 */
export interface ClientHabits {
  /** How long a call may be kept waiting, in seconds. */
  waits: number;
  /** The same where the client asked for progress, which keeps its call alive. */
  waitsWithProgress: number;
  /** Whether a cancellation that names the user comes from the user: some name them for their time-outs too. */
  tellsUserFromTimeout: boolean;
}

/** Whoever is not in the table: the shortest limit that is common is 60 seconds. */
const OTHERS: ClientHabits = {
  waits: 45,
  waitsWithProgress: 45,
  tellsUserFromTimeout: true,
};

/** By what the name of the client holds; the first that fits. */
const table: readonly [name: string, habits: ClientHabits][] = [
  // Its limit is 300 seconds, with or without progress, and its time-outs say what its users say.
  [
    "codex",
    { waits: 240, waitsWithProgress: 240, tellsUserFromTimeout: false },
  ],
  // 600 seconds, with or without progress.
  [
    "gemini",
    { waits: 540, waitsWithProgress: 540, tellsUserFromTimeout: true },
  ],
  // These wait for as long as progress comes.
  ["claude-code", { ...OTHERS, waitsWithProgress: 1500 }],
  ["opencode", { ...OTHERS, waitsWithProgress: 1500 }],
  ["copilot", { ...OTHERS, waitsWithProgress: 1500 }],
];

export const habitsOf = (client: string): ClientHabits => {
  const name = client.toLowerCase();
  return table.find(([part]) => name.includes(part))?.[1] ?? OTHERS;
};
