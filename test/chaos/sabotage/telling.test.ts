/** Servers are killed, and ask agentctl for more than they lack. */
import { broken, whole } from "./test-sabotage.ts";

broken("no-range-check", "telling", "P2");
whole("tell-all-again", "telling");
