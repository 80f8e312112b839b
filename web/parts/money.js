// Formats US dollars, also the small sums that a call of a model costs: 0.00021 → "$0.00021", 12.3456 → "$12.35".
import { language } from "./words.js";

const SMALL = 0.1;

export function dollars(amount) {
  const sum = Number(amount);
  const digits =
    sum === 0 || Math.abs(sum) < SMALL ? { minimumFractionDigits: 0, maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(language() ?? "en", { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", ...digits }).format(sum);
}
