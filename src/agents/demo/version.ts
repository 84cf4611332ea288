/** The demo agent is released with the product and carries its version. */
export const VERSION = "0.1.0";
