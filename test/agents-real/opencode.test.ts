import { testDirectly } from "./direct.ts";
import { testThroughReprise } from "./suite.ts";

testDirectly("opencode");
testThroughReprise("opencode");
