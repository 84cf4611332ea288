/** How large the terminals of shells are. */

/** Columns and rows that a terminal may have. What is asked beyond them is brought back to them (SHL-6). */
export const SHELL_SIZES = {
  cols: { min: 2, max: 500, usual: 80 },
  rows: { min: 1, max: 200, usual: 24 },
} as const;

/** No screen is larger either way: what a program wants done more often than this does nothing more (SHL-40). */
export const MAX_SHELL_SIDE = Math.max(
  SHELL_SIZES.cols.max,
  SHELL_SIZES.rows.max,
);
