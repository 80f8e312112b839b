// Preact's `h` as tagged templates. Text is always put in as text nodes, so no text that a person writes becomes
// markup.
import { h, render, Component, Fragment } from "preact";
import htm from "htm";

export const html = htm.bind(h);
export { render, Fragment };
export { useEffect, useLayoutEffect, useMemo, useRef, useState, useCallback, useId, useReducer } from "preact/hooks";

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
