import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { openStores } from "./start/page-stores.ts";
import { SignedOut } from "./start/signed-out.tsx";
import { start } from "./start/start.ts";
import "./style/tokens.css";
import "./style/base.css";

const root = document.getElementById("root");
const started = await start(window);
if (root !== null && started.kind !== "reloading")
  createRoot(root).render(
    <StrictMode>
      {started.kind === "signed_in" ? (
        <App stores={openStores(started.beginning)} />
      ) : (
        <SignedOut why={started.why} />
      )}
    </StrictMode>,
  );
