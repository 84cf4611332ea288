/** A control sequence of a terminal: `ESC [`, numbers, then these. */
interface Sequence {
  intermediates?: string;
  final: string;
}

/** Sequences that a terminal carries out as often as their first number says, one after the other. */
const COUNTED: readonly Sequence[] = [
  ..."@IPXZb".split("").map((final) => ({ final })),
  { intermediates: " ", final: "@" },
  { intermediates: " ", final: "A" },
  { intermediates: "'", final: "}" },
  { intermediates: "'", final: "~" },
];

/** Those that move lines: as often as a screen has rows, all of it has moved. Each line that moves is dear. */
const COUNTED_IN_ROWS: readonly Sequence[] = "LMST"
  .split("")
  .map((final) => ({ final }));

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
export const boundCounts = (
  terminal: { readonly rows: number },
  most: number,
): void => {
  const core: unknown = Reflect.get(terminal, "_core");
  if (!isCore(core))
    throw new TypeError("this release of xterm.js has another core");
  const bound = (ids: readonly Sequence[], mostOf: () => number): void => {
    for (const id of ids)
      core.registerCsiHandler(id, ({ params }) => {
        params[0] = Math.min(params[0] ?? 0, mostOf());
        // The terminal does its own with it.
        return false;
      });
  };
  bound(COUNTED, () => most);
  bound(COUNTED_IN_ROWS, () => terminal.rows);
};
