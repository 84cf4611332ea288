import { testDirectly } from "./direct.ts";
import { testThroughReprise } from "./suite.ts";

testDirectly("codex");
testThroughReprise("codex");
