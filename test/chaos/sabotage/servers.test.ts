/** Servers are killed around what they acknowledge. */
import { broken } from "./test-sabotage.ts";

broken("early-acknowledgement", "acknowledging", "P1");
broken("no-receipts", "servers", "P1");
