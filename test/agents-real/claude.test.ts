import { testDirectly } from "./direct.ts";
import { testThroughReprise } from "./suite.ts";

testDirectly("claude");
testThroughReprise("claude");
