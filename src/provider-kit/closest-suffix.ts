/**
 * The name itself, or else the nearest of its parents, that a table of lower-case names has; undefined when it has none. Cut at
 * dots alone: of `a.b.example` it looks for `a.b.example`, `b.example` and `example`.
 */
export function closestSuffix(name: string, table: { has(name: string): boolean }): string | undefined {
  for (let rest = name; ; rest = rest.slice(rest.indexOf('.') + 1)) {
    if (table.has(rest)) return rest;
    if (!rest.includes('.')) return undefined;
  }
}
