/** A control sequence of a terminal: `ESC [`, numbers, then these. */
interface Sequence {
  intermediates?: string;
  final: string;
}

/** Sequences that a terminal carries out as often as their first number says, one after the other. */
const COUNTED: readonly Sequence[] = [
  ..."@ILMPSTXZb".split("").map((final) => ({ final })),
  { intermediates: " ", final: "@" },
  { intermediates: " ", final: "A" },
  { intermediates: "'", final: "}" },
  { intermediates: "'", final: "~" },
];

/** The numbers of a sequence, as the terminal is about to use them. */
interface Numbers {
  params: Int32Array;
}

/** What handlers of the public API of xterm.js get is a copy. The core below it hands out the numbers themselves. */
interface Core {
  registerCsiHandler: (
    id: Sequence,
    take: (numbers: Numbers) => boolean,
  ) => unknown;
}

const isCore = (core: unknown): core is Core =>
  typeof core === "object" && core !== null && "registerCsiHandler" in core;

/** Keeps a few bytes (`ESC [ 2147483647 b`) from making a terminal of xterm.js work for minutes. */
export const boundCounts = (terminal: object, most: number): void => {
  const core: unknown = Reflect.get(terminal, "_core");
  if (!isCore(core))
    throw new TypeError("this release of xterm.js has another core");
  for (const id of COUNTED)
    core.registerCsiHandler(id, ({ params }) => {
      if ((params[0] ?? 0) > most) params[0] = most;
      // The terminal does its own with it.
      return false;
    });
};
