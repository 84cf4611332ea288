/** Servers are killed, and say again what they had said. */
import { broken, whole } from "./test-sabotage.ts";

broken("early-acknowledgement", "servers", "P1");
broken("no-receipts", "servers", "P1");
broken("no-range-check", "servers", "P2");
whole("tell-all-again", "servers");
