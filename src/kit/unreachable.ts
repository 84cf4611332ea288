/** Ends a `switch` that covers everything: it does not compile until it does. */
export const unreachable = (value: never): never => {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
};
