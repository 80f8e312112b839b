// Tabs: arrow keys, Home and End choose another one.
import { html, useId, useRef } from "./html.js";

/** The tabs alone. The panel that they control has the id `${id}-panel`, each tab `${id}-${its id}`. */
export function TabList({ id, label, tabs, chosen, onChoose }) {
  const list = useRef(null);
  const onKeyDown = (event) => {
    const at = tabs.findIndex((each) => each.id === chosen);
    const forward = getComputedStyle(list.current).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    onChoose(tabs[next].id);
    list.current.children[next].focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${label} ref=${list} onKeyDown=${onKeyDown}>
      ${tabs.map(
        (each) => html`<button
          type="button"
          role="tab"
          key=${each.id}
          id=${`${id}-${each.id}`}
          aria-selected=${each.id === chosen}
          aria-controls=${`${id}-panel`}
          tabindex=${each.id === chosen ? 0 : -1}
          onClick=${() => onChoose(each.id)}
        >
          ${each.title}
        </button>`,
      )}
    </div>
  `;
}

/** `tabs`: [{id, title}]; `chosen`: the id of one; `children`: what it shows. */
export function Tabs({ label, tabs, chosen, onChoose, children }) {
  const id = useId();
  return html`
    <${TabList} id=${id} label=${label} tabs=${tabs} chosen=${chosen} onChoose=${onChoose} />
    <div class="tab-panel" role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-${chosen}`}>${children}</div>
  `;
}
