/** A second server on the home of a frozen one. */
import { broken, whole } from "./test-sabotage.ts";

broken("no-term-check", "intruders", "P4");
whole("no-lock", "intruders");
