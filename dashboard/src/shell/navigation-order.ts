/** Whether a page, or one that is reached from it, is in view: `/checks/chk_1` is within `/checks`, nothing but `/` in `/`. */
export function isWithin(path: string, page: string): boolean {
  return path === page || (page !== '/' && path.startsWith(`${page}/`));
}
