const epsilon = 1e-15;
/** Smallest magnitude in Lentz's method: what stands in for 0. */
const tiny = 1e-300;

/** ln Γ(x) for x > 0: Stirling's series after raising x to where it is exact to 1e-15 (DLMF 5.11.1). */
export function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 15; at++) shift += Math.log(at);
  const square = at * at;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / at;
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/**
 * Regularised upper incomplete gamma function Q(a, x) (DLMF 8.2.4), for a > 0; right in the tail as well. With a = k + 1
 * it is P(X ≤ k) of a Poisson X with mean x.
 */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? Math.max(0, 1 - scale * lowerSeries(a, x)) : scale * upperFraction(a, x);
}

/** P(X ≥ statistic) where X is χ² distributed; the degrees of freedom need not be whole. */
export function chiSquareTail(statistic: number, degreesOfFreedom: number): number {
  return upperGamma(degreesOfFreedom / 2, statistic / 2);
}

/** The x with P(X ≥ x) = tail, X χ² distributed: by halving, 60 times, since the tail is monotone. */
export function chiSquareQuantile(tail: number, degreesOfFreedom: number): number {
  let low = 0;
  let high = degreesOfFreedom + 10;
  while (chiSquareTail(high, degreesOfFreedom) > tail) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (chiSquareTail(middle, degreesOfFreedom) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Σ x^n / (a (a+1) … (a+n)) (DLMF 8.7.1 without its factor). */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * epsilon; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** The continued fraction DLMF 8.9.2 by Lentz's method. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < 100_000; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / nonZero(an * d + b);
    c = nonZero(b + an / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < epsilon) break;
  }
  return fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}
