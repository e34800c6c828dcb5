/**
 * (1 − k/P)^C: the probability that C connections, each placed at random on P pods, all miss the k youngest. Small: it is
 * no chance that the young pods are the empty ones.
 */
export function emptyYoungest(connections: number, pods: number, youngest: number): number {
  if (pods <= 0 || connections <= 0) return 1;
  const missed = Math.max(0, 1 - youngest / pods);
  return missed ** connections;
}
