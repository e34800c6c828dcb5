/** The exponent b of y = a·x^b by least squares of the logarithms: 1 is linear, 2 quadratic. */
export function fitExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const both = logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return both / logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
