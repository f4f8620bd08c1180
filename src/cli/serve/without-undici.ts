/**
 * Keeps undici, a whole HTTP client that nobody here uses, out of a start: a twenty-fifth of it. To show `node:http` as an ES
 * module, node reads all of its members, and these load undici when they are read. To be called before that module is imported.
 */
export function leaveUndiciOut(): void {
  const http: Partial<Record<string, unknown>> = process.getBuiltinModule('node:http');
  for (const member of ['WebSocket', 'CloseEvent', 'MessageEvent']) delete http[member];
}
