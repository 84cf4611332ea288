/** Garbage is collected while much is written. */
import { broken } from "./test-sabotage.ts";

broken("prune-without-mark", "collectors", "P3");
