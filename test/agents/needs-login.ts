import { converse } from "./converse.ts";

converse({
  "session/new": () => ({
    error: {
      code: -32000,
      message: "Authentication required: run `needs-login auth`",
    },
  }),
});
