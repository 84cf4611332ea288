/** Agents are killed in the middle of what they do. */
import { broken } from "./test-sabotage.ts";

broken("resend-committed", "agents", "P1");
broken("group-kill-only", "agents", "P4");
