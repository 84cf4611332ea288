import { testDirectly } from "./direct.ts";

testDirectly("gemini");
