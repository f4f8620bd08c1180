/**
 * The path and query that a request asks for. RFC 9112, 3.2: a path as it stands, `*`, or a whole http or https
 * URL, whose host is not ours to judge. Undefined when it is none of them: Koa's own reading of a broken URL
 * throws, and warns of it, URL and all, outside the log.
 */
export function pathOf(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  const [, path] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? [];
  if (path === undefined || !URL.canParse(target)) return undefined;
  return path.startsWith('/') ? path : `/${path}`;
}
