import type { PageSettings } from "../../../src/contract/api/first-view.ts";
import { serverFacts } from "./server-facts.ts";
import style from "./settings.module.css";

/** Read only: the file is the one place for these. */
export const ServerSection = ({ settings }: { settings: PageSettings }) => (
  <section className={style.group} aria-labelledby="server">
    <h2 id="server">The server</h2>
    <p>
      These stand in <code>{settings.config_file ?? "config.json"}</code>. A
      server reads it when it starts.
    </p>
    <dl className={style.facts}>
      {serverFacts(settings).map(({ setting, text }) => (
        <div key={setting}>
          <dt>
            <code>{setting}</code>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </section>
);
