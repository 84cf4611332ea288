import type { IFunctionIdentifier, Terminal } from "@xterm/headless";
import * as z from "zod";
import { SHELL_SIZES } from "../../../contract/session/shell.ts";

/** No screen is larger, so a larger count does nothing more. */
const MOST = Math.max(SHELL_SIZES.cols.max, SHELL_SIZES.rows.max);

/** Sequences that a terminal carries out as often as their first number says, one after the other. */
const COUNTED: readonly IFunctionIdentifier[] = [
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

/** What handlers of the public API get is a copy. The one below it hands out the numbers themselves. */
const WithCore = z.object({
  _core: z.custom<{
    registerCsiHandler(
      id: IFunctionIdentifier,
      take: (numbers: Numbers) => boolean,
    ): unknown;
  }>(
    (core) =>
      typeof core === "object" && core !== null && "registerCsiHandler" in core,
  ),
});

/** Keeps a few bytes (`ESC [ 2147483647 b`) from making a terminal work for minutes. */
export const boundCounts = (terminal: Terminal): void => {
  const { _core: core } = WithCore.parse(terminal);
  for (const id of COUNTED)
    core.registerCsiHandler(id, ({ params }) => {
      if ((params[0] ?? 0) > MOST) params[0] = MOST;
      // The terminal does its own with it.
      return false;
    });
};
