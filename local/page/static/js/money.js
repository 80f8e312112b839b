// US dollars, small as they are for a call of a model: 0.00021 → "$0.00021".
const small = new Intl.NumberFormat("en", { style: "currency", currency: "USD", minimumFractionDigits: 0, maximumSignificantDigits: 2 });

export const dollars = (amount) => small.format(amount);
