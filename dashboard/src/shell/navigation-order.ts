/** Whether a page, or one that is reached from it, is in view: `/checks/chk_1` is within `/checks`, nothing but `/` in `/`. */
export function isWithin(path: string, page: string): boolean {
  return path === page || (page !== '/' && path.startsWith(`${page}/`));
}

/** Of pages of which one is within another the one that is meant: at `/rules/history` that page, not `/rules`. */
export function pageInView(path: string, pages: readonly string[]): string | undefined {
  return pages.filter((page) => isWithin(path, page)).toSorted((a, b) => b.length - a.length)[0];
}
