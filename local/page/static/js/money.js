// Formats US dollars, also the small sums that a call of a model costs: 0.00021 → "$0.00021".
const small = new Intl.NumberFormat("en", { style: "currency", currency: "USD", minimumFractionDigits: 0, maximumSignificantDigits: 2 });

export const dollars = (amount) => small.format(amount);
