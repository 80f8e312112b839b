// Clicks that do something once.

/** The second click of a double click does nothing. */
export const once = (act) => (event) => event.detail > 1 || act(event);
