import { converse } from "./converse.ts";

if (process.env["AUGMENT_API_TOKEN"])
  await import("../../src/programs/demo/main.ts");
else
  converse({
    "session/prompt": () => ({
      error: { code: -32000, message: "Authentication required" },
    }),
  });
