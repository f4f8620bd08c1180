/** Whether `path` is `page` or lies below it: `/checks/chk_1` is within `/checks`; only `/` is within `/`. */
export function isWithin(path: string, page: string): boolean {
  return path === page || (page !== '/' && path.startsWith(`${page}/`));
}

/** The most specific page that `path` is within: at `/rules/history` that page, not `/rules`. Undefined where there is none. */
export function pageInView(path: string, pages: readonly string[]): string | undefined {
  return pages.filter((page) => isWithin(path, page)).toSorted((a, b) => b.length - a.length)[0];
}
