// Preact's `h` as tagged templates. Text is always put in as text nodes, so no text that a person writes becomes
// markup.
import { h, render, Component, Fragment, createContext } from "../vendor/preact.mjs";
import htm from "../vendor/htm.mjs";

export const html = htm.bind(h);
export { render, Fragment, createContext };
export { useCallback, useContext, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from "../vendor/preact-hooks.mjs";

const sameProps = (a, b) => {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => Object.is(a[name], b[name]));
};

/** A component that renders again only if one of its props gets another value. */
export function memo(view) {
  return class Memo extends Component {
    shouldComponentUpdate(next) {
      return !sameProps(this.props, next);
    }
    render(props) {
      return h(view, props);
    }
  };
}
