import { testAgent } from "./suite.ts";

// It is the slowest to start by far: two files can run beside each other.
testAgent("opencode", ["stays"]);
