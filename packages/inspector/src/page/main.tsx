import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/controls.css";
import "./styles/tables.css";
import "./styles/json.css";
import "./styles/forms.css";
import "./styles/sign-in.css";
import "./styles/sources.css";
import "./styles/source.css";
import "./styles/runs.css";
import "./styles/logs.css";
import "./styles/flow.css";
import "./styles/webhooks.css";
import "./styles/overview.css";
import "./styles/deploy.css";
import "./styles/apps.css";
import "./app/theme.ts";

import { render } from "preact";

import { App } from "./app/app.tsx";

const place = document.querySelector("#app");
if (place) render(<App />, place);
