import { testAgent } from "./suite.ts";

// It waits for the next minute before it loads a session: two files wait beside each other.
testAgent("gemini", ["stays"]);
