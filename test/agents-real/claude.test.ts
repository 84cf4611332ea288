import { testAgent } from "./suite.ts";

testAgent("claude");
