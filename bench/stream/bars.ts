/** How long a chunk may be on its way, whatever else happens. */
export const MAX_MS = { p50: 5, p99: 25 };
