/** Servers are killed, and ask agentctl for more than they lack. */
import { broken, whole } from "./test-sabotage.ts";

broken("no-range-check", "servers", "P2");
whole("tell-all-again", "servers");
