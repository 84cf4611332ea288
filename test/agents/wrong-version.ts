import { converse } from "./converse.ts";

converse({
  initialize: () => ({
    result: { protocolVersion: 99, agentCapabilities: {} },
  }),
});
