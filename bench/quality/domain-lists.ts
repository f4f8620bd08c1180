import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A list that a package exports as JSON. */
export function listOf(module: string): ReadonlySet<string> {
  const entries: readonly string[] = require(module);
  return new Set(entries);
}

/** Whether the list names the domain or a parent of it. */
export function namesDomain(list: ReadonlySet<string>, domain: string): boolean {
  for (let rest = domain; ; rest = rest.slice(rest.indexOf('.') + 1)) {
    if (list.has(rest)) return true;
    if (!rest.includes('.')) return false;
  }
}
