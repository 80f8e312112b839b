// A dialog whose state is the page's.
import { html } from "/web/parts/html.js";
import * as parts from "/web/parts/dialog.js";
import { change } from "../store.js";

export const closeDialog = () => change({ dialog: null });

export const Dialog = (props) => html`<${parts.Dialog} ...${props} onClose=${closeDialog} />`;
